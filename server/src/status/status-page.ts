/**
 * The operator's status page over HTTP, from its figures to its lines. Other callers get not-found or, with METRICS_TOKEN, a request for the token as a
 * password.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Limits } from '../access/limits.ts';
import type { Addresses } from '../http/address.ts';
import { sendRefusal } from '../http/answers.ts';
import type { OperatorAccess } from '../http/health.ts';
import { refuse } from '../system/ports.ts';
import { within } from '../system/within.ts';
import type { Processes } from './processes.ts';

interface StatusDeps {
  operator: OperatorAccess;
  limits: Limits;
  addresses: Addresses;
  metrics: Registry;
  facts: () => Facts;
  processes: Pick<Processes, 'disagreements' | 'living'>;
  library: { list(): readonly unknown[]; progress(): { read: number; of: number } | null };
  /** Who keeps most for good. Rejects, or never answers, while the database is away. */
  heaviest: (most: number) => Promise<readonly { name: string; bytes: number }[]>;
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
    // Without the database the page still says what the process knows.
    const [figures, holders] = await Promise.all([
      metrics.getMetricsAsJSON(),
      within(
        answerWithinMs,
        deps.heaviest(heaviestShown).catch(() => null),
        null,
      ),
    ]);
    const sections = [
      ...statusOf(figures, facts(), holders === null),
      librarySection(deps.library),
      processesSection(deps.processes),
      heaviestSection(holders ?? []),
    ];
    return reply.type('text/html; charset=utf-8').send(statusPage(new URL(publicUrl()).host, sections));
  });
  // Public: it reveals nothing about the installation.
  http.get('/status.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(statusStyle));
}

const answerWithinMs = 2000;
const megabyte = 1_000_000;
/** People on the page. */
const heaviestShown = 5;

/** Who keeps most messages and pictures. */
function heaviestSection(holders: readonly { name: string; bytes: number }[]): Section {
  const lines = holders.map(({ name, bytes }) => ({ name, value: `${(bytes / megabyte).toFixed(1)} MB` }));
  return { title: 'Messages and pictures, by person', lines };
}

export function librarySection({ list, progress }: StatusDeps['library']): Section {
  const reading = progress();
  const files = reading && { name: 'Files that were read', value: `${count(reading.read)} of ${count(reading.of)}` };
  return { title: 'Library', lines: [{ name: 'Listed', value: count(list().length) }, ...(files ? [files] : [])] };
}

export function processesSection({ living, disagreements }: Pick<Processes, 'disagreements' | 'living'>): Section {
  const found = disagreements();
  const lines = found.map(({ what, advice }) => ({ name: namedFirst(what), value: 'look', advice }));
  return { title: 'Processes', lines: [{ name: 'Running', value: count(living()) }, ...lines] };
}

const namedFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

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

// The lines of the page, from the metrics for Prometheus, and the thresholds above which a line gets advice.

/** A metric as prom-client returns it. */
export interface Metric {
  name: string;
  values: readonly { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }[];
}

/** Facts that are not metrics. */
export interface Facts {
  version: string;
  protocolVersion: number;
  node: string;
  database: string;
  /** The newest migration. */
  schema: string;
  upMs: number;
  nowMs: number;
}

interface Line {
  name: string;
  value: string;
  /** What the operator should do. */
  advice?: string;
}
interface Section {
  title: string;
  lines: readonly Line[];
}

/** Shown for an unknown value. */
const none = '–';
const dayMs = 24 * 60 * 60 * 1000;
/** Above these a line has advice. */
const loopIsSlowSeconds = 0.25;
const answersAreSlowSeconds = 0.5;
const manyUnsentBytes = 16 * 1024 * 1024;
const manyMails = 20;
const backupIsOldMs = 2 * dayMs;

export function statusOf(metrics: readonly Metric[], facts: Facts, isDatabaseAway = false): Section[] {
  const valuesOf = (name: string) => metrics.find((metric) => metric.name === name)?.values ?? [];
  const sum = (name: string): number | null => {
    const values = valuesOf(name);
    const total = values.reduce((all, { value }) => all + value, 0);
    return values.length === 0 || Number.isNaN(total) ? null : total;
  };
  const shareOf = (name: string, share: number) => quantile(valuesOf(name), share);
  const loop = sum('nodejs_eventloop_lag_p99_seconds');
  const answers = shareOf('tunemate_socket_request_seconds', 0.99);
  const [unsent, mails] = [sum('tunemate_unsent_bytes'), sum('tunemate_mails_waiting')];
  const backupAt = sum('tunemate_last_backup_timestamp_seconds');
  const trouble = valuesOf('tunemate_storage_trouble')[0]?.labels;
  const isDiskSlow = trouble?.['trouble'] === 'slow';
  return [
    {
      title: 'People',
      lines: [
        { name: 'Connections to this process', value: count(sum('tunemate_connections')) },
        { name: 'People online', value: count(sum('tunemate_people_online')) },
        { name: 'Live rooms', value: count(sum('tunemate_rooms')) },
        { name: 'People in them', value: count(sum('tunemate_room_members')) },
        { name: 'Changes delivered', value: count(sum('tunemate_deliveries_total')) },
        line(
          'Reports that wait',
          count(sum('tunemate_reports_waiting')),
          (sum('tunemate_reports_waiting') ?? 0) > 0,
          'npm run admin -- reports list',
        ),
      ],
    },
    {
      title: 'Pace',
      lines: [
        line(
          '99 of 100 requests answered within',
          atMost(answers),
          (answers ?? 0) > answersAreSlowSeconds && !isDiskSlow,
          'Is the disk or the database slow?',
        ),
        line(
          '99 of 100 turns of the loop wait',
          seconds(loop),
          (loop ?? 0) > loopIsSlowSeconds && !isDiskSlow,
          'One core is full: add processes.',
        ),
        { name: '95 of 100 players are off by less than', value: atMost(shareOf('tunemate_drift_seconds', 0.95)) },
      ],
    },
    {
      title: 'What waits',
      lines: [
        { name: 'Requests', value: count(sum('tunemate_requests_waiting')) },
        line(
          'Bytes that pages have not read',
          bytes(unsent),
          (unsent ?? 0) > manyUnsentBytes,
          'Somebody’s line is slow; who reads nothing is dropped.',
        ),
        line('Mails', count(mails), (mails ?? 0) > manyMails, 'Look for mail. in the log: is the mail server there?'),
      ],
    },
    {
      title: 'This process',
      lines: [
        { name: 'Up for', value: span(facts.upMs) },
        { name: 'Memory', value: bytes(sum('process_resident_memory_bytes')) },
        ...versions(facts),
        line(
          'Database',
          `${facts.database}, ${facts.schema}`,
          isDatabaseAway,
          'It does not answer: is it there? Nobody can do anything until it is back.',
        ),
        saving(trouble),
        lastBackup(backupAt === null ? null : backupAt * 1000, facts.nowMs),
      ],
    },
  ];
}

/** The upper bound, in seconds, of the bucket with this quantile; null without observations. */
export function quantile(values: Metric['values'], share: number): number | null {
  const upTo = new Map<number, number>();
  for (const { metricName, labels, value } of values) {
    if (metricName?.endsWith('_bucket') !== true) continue;
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    upTo.set(bound, (upTo.get(bound) ?? 0) + value);
  }
  const all = upTo.get(Infinity) ?? 0;
  if (all === 0) return null;
  const bounds = [...upTo].toSorted(([a], [b]) => a - b);
  return bounds.find(([, below]) => below >= all * share)?.[0] ?? null;
}

function line(name: string, value: string, deservesLook: boolean, advice: string): Line {
  return deservesLook ? { name, value, advice } : { name, value };
}

const versions = ({ version, protocolVersion, node }: Facts): Line[] => [
  { name: 'Tunemate', value: `${version}, protocol ${String(protocolVersion)}` },
  { name: 'Node', value: node },
];

const disks: Readonly<Record<string, readonly [says: string, advice: string]>> = {
  full: [
    'Nothing can be saved: the disk is full',
    'Make room on it. Pages then send by themselves what they could not.',
  ],
  failing: [
    'Nothing can be saved: the disk fails',
    'Look into the log of the system, make a backup elsewhere, and replace the disk.',
  ],
  'read-only': [
    'Nothing can be saved: the disk is read-only',
    'Look into the log of the system for why, check the disk, and mount it for writing.',
  ],
  slow: ['Messages wait for the disk', 'Move DATA_DIR, or the database, to a faster disk.'],
};

function saving(trouble: Metric['values'][number]['labels'] | undefined): Line {
  const [says, advice] = disks[String(trouble?.['trouble'])] ?? [];
  if (says === undefined || advice === undefined) return { name: 'Saving', value: 'works' };
  return { name: 'Saving', value: `${says} (${String(trouble?.['code'])})`, advice };
}

/** `atMs` is 0 when there was no backup. */
function lastBackup(atMs: number | null, nowMs: number): Line {
  if (atMs === null) return { name: 'Last backup', value: none };
  const value = atMs === 0 ? 'never' : `${span(nowMs - atMs)} ago`;
  return line('Last backup', value, nowMs - atMs > backupIsOldMs, 'npm run backup');
}

const count = (value: number | null): string => (value === null ? none : new Intl.NumberFormat('en').format(value));
const seconds = (value: number | null): string =>
  value === null ? none : value < 1 ? `${String(Math.round(value * 1000))} ms` : `${value.toFixed(1)} s`;
const atMost = (value: number | null): string => (value === Infinity ? 'more than is counted' : seconds(value));
const bytes = (value: number | null): string =>
  value === null
    ? none
    : value < 1e6
      ? `${String(Math.round(value / 1000))} kB`
      : `${String(Math.round(value / 1e6))} MB`;

function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${String(minutes)} min`;
  if (minutes < 48 * 60) return `${String(Math.floor(minutes / 60))} h`;
  return `${String(Math.floor(minutes / (24 * 60)))} days`;
}
