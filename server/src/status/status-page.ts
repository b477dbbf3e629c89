/**
 * The operator's status page over HTTP. Other callers get not-found or, with METRICS_TOKEN, a request for the token as a
 * password.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Limits } from '../access/limits.ts';
import type { Addresses } from '../http/address.ts';
import { sendRefusal } from '../http/answers.ts';
import type { OperatorAccess } from '../http/health.ts';
import { refuse } from '../system/ports.ts';
import { type Facts, type Line, type Section, statusOf } from './status-figures.ts';

interface StatusDeps {
  operator: OperatorAccess;
  limits: Limits;
  addresses: Addresses;
  metrics: Registry;
  facts: () => Facts;
  /** Who keeps most for good. */
  heaviest: () => Promise<readonly { name: string; bytes: number }[]>;
  publicUrl: () => string;
}

export function statusRoutes(http: FastifyInstance, deps: StatusDeps): void {
  const { operator, limits, addresses, metrics, facts, publicUrl } = deps;

  /** Null for the operator. */
  async function refusalOf(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const taken = await limits.take('httpIp', addresses.networkOf(request.raw));
    if (!taken.ok) return sendRefusal(reply, taken);
    const admitted = await operator.admit(request.raw);
    if (admitted.ok) return null;
    if (!operator.asksForToken || admitted.error.code !== 'access/not-found') return sendRefusal(reply, admitted);
    reply.header('www-authenticate', 'Basic realm="Tunemate status, METRICS_TOKEN", charset="UTF-8"');
    return sendRefusal(reply, refuse('auth/required'));
  }

  http.get('/status', async (request, reply) => {
    const refused = await refusalOf(request, reply);
    if (refused) return refused;
    const sections = [...statusOf(await metrics.getMetricsAsJSON(), facts()), heaviestSection(await deps.heaviest())];
    return reply.type('text/html; charset=utf-8').send(statusPage(new URL(publicUrl()).host, sections));
  });
  // Public: it reveals nothing about the installation.
  http.get('/status.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(statusStyle));
}

const megabyte = 1_000_000;

/** Who keeps most messages and pictures. */
function heaviestSection(holders: readonly { name: string; bytes: number }[]): Section {
  const lines = holders.map(({ name, bytes }) => ({ name, value: `${(bytes / megabyte).toFixed(1)} MB` }));
  return { title: 'Messages and pictures, by person', lines };
}

const refreshSeconds = 10;

export function statusPage(host: string, sections: readonly Section[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${String(refreshSeconds)}">
<title>Status of ${escaped(host)}</title>
<link rel="stylesheet" href="/status.css">
</head>
<body>
<main>
<h1>Status</h1>
<p>${escaped(host)}. Read anew every ${String(refreshSeconds)} seconds.</p>
${sections.map(section).join('\n')}
</main>
</body>
</html>
`;
}

const section = ({ title, lines }: Section): string =>
  `<section>\n<h2>${escaped(title)}</h2>\n<dl>\n${lines.map(row).join('\n')}\n</dl>\n</section>`;

const row = ({ name, value, advice }: Line): string =>
  `<div${advice === undefined ? '' : ' class="look"'}><dt>${escaped(name)}</dt><dd>${escaped(value)}${
    advice === undefined ? '' : `<span>${escaped(advice)}</span>`
  }</dd></div>`;

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '');

/** In the colours of the product. */
const statusStyle = `:root { color-scheme: dark light; --ground: #190f0e; --sheet: #231714; --line: #3d2c26; --text: #fbefe3; --quiet: #d8c5b6; --look: #ffb938; }
@media (prefers-color-scheme: light) { :root { --ground: #fbefe3; --sheet: #fff9f2; --line: #e2cfbe; --text: #1c110e; --quiet: #5d4a40; --look: #8a4a00; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
h1, h1 + p { grid-column: 1 / -1; margin: 0; }
h1 + p, dt { color: var(--quiet); }
section { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; }
h2 { margin: 0 0 .5rem; font-size: 1.125rem; }
dl { margin: 0; }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .375rem 0; border-top: 1px solid var(--line); }
dd { flex: none; max-width: 62%; margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
dd span { display: block; font-size: .875rem; }
.look dd { color: var(--look); font-weight: 600; }
`;
