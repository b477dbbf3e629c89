/**
 * The security headers of every answer. HTML may load YouTube's player and send requests to this origin only; other
 * answers may load nothing. Browsers report violations to `/csp-report`.
 */
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Limits } from '../access/limits.ts';
import type { Log } from '../system/ports.ts';
import type { Addresses, Origins } from './address.ts';

const permissionsWith = (microphone: '()' | '(self)'): string =>
  [
    ...['autoplay', 'encrypted-media', 'fullscreen', 'picture-in-picture'].map(
      (feature) => `${feature}=(self "https://www.youtube.com")`,
    ),
    'clipboard-write=(self)',
    `microphone=${microphone}`,
    ...['camera', 'geolocation', 'payment'].map((feature) => `${feature}=()`),
  ].join(', ');
const permissions = permissionsWith('()');
/** Every page can come to show a chat without another load; frames of other origins get no microphone from it. */
const permissionsOfPage = permissionsWith('(self)');

const policyOfData = "default-src 'none'; frame-ancestors 'none'";
/** The worker fetches what pages ask of it: files of this origin. A worker has the policy of its own script's answer. */
const policyOfWorker = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";
/** One for each language. */
const workerPath = /^\/worker(?:\.[a-z]+)?\.js$/;

/** Origins of others. */
interface FurtherOrigins {
  /** Scripts may send requests there. */
  readonly connectTo: readonly string[];
  /** Media and pictures may come from there. */
  readonly mediaFrom: readonly string[];
  /** Films that links name are played from there. */
  readonly playFrom: readonly string[];
}

function pagePolicy(origins: Origins, { connectTo, mediaFrom, playFrom }: FurtherOrigins): string {
  // Older browsers don't take 'self' to cover web sockets. A policy can't name an IPv6 address: browsers warn of it.
  const sockets = origins
    .all()
    .filter((origin) => !origin.includes('['))
    .map((origin) => origin.replace(/^http/, 'ws'));
  return [
    "default-src 'none'",
    "script-src 'self' https://www.youtube.com/iframe_api https://www.youtube.com/s/player/",
    "style-src 'self'",
    ["img-src 'self' https://i.ytimg.com", ...mediaFrom].join(' '),
    "font-src 'self'",
    `connect-src ${["'self'", ...sockets, ...connectTo, ...playFrom].join(' ')}`,
    'frame-src https://www.youtube.com',
    "manifest-src 'self'",
    "worker-src 'self'",
    // A stream is put together in the page, as a blob.
    ["media-src 'self'", ...mediaFrom, ...(playFrom.length > 0 ? ['blob:', ...playFrom] : [])].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    'report-uri /csp-report',
    ...(origins.isSecure() ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** The headers of an answer that no route changes: of errors of the framework and of Node itself too. */
export function commonHeaders(origins: Pick<Origins, 'isSecureHost'>): Readonly<Record<string, string>> {
  return {
    // Cacheable routes override this. Not decided by the address here, because one route has many spellings.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Search engines find links that stand anywhere, and a page's address may hold a room's code.
    'x-robots-tag': 'noindex, noarchive',
    // 'no-referrer' everywhere would break the YouTube player; a link's one-time code must not leave the page.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': permissions,
    'content-security-policy': policyOfData,
    // For this host alone: other hosts below it (printers, other services) are not this server's to decide about, nor
    // are the other ports of the host, for which it would hold as well.
    ...(origins.isSecureHost() && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** An answer that has the headers from its beginning, written by a route, the framework, the engine or Node. */
export function answersWithHeaders(origins: Pick<Origins, 'isSecureHost'>): typeof ServerResponse {
  const headers = Object.entries(commonHeaders(origins));
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...given);
      for (const [name, value] of headers) this.setHeader(name, value);
    }
  };
}

/** The bytes of a whole answer on a connection that has no response: before a request was read, or at an upgrade. */
export function bareAnswer(status: number, body: string, headers: Readonly<Record<string, string>>): string {
  const own = {
    connection: 'close',
    ...headers,
    ...(body !== '' && { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}

export function sendSecurityHeaders(http: FastifyInstance, origins: Origins, further: FurtherOrigins): void {
  http.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url === '/auth/action') reply.header('referrer-policy', 'no-referrer');
    done();
  });
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 304) {
      // A 304 has no type, and its headers would replace those of the page the browser kept.
      reply.raw.removeHeader('content-security-policy');
      reply.raw.removeHeader('permissions-policy');
      return done();
    }
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    if (isPage) {
      reply.headers({
        'content-security-policy': pagePolicy(origins, further),
        'permissions-policy': permissionsOfPage,
      });
    } else if (workerPath.test(request.url)) reply.header('content-security-policy', policyOfWorker);
    done();
  });
}

const report = z.object({
  'csp-report': z.object({
    'violated-directive': z.string().max(200).optional(),
    'blocked-uri': z.string().max(2000).optional(),
    'document-uri': z.string().max(2000).optional(),
    'line-number': z.number().optional(),
  }),
});

interface CspReportDeps {
  limits: Limits;
  addresses: Addresses;
  log: Log;
}

/** The query of the e-mail action page is a one-time code, which must not reach the log. */
const withoutQuery = (address: string | undefined): string | undefined => address?.split(/[?#]/, 1)[0];

/** Logs the violations that browsers report, and ignores reports over the limit. */
export function cspReportRoute(http: FastifyInstance, { limits, addresses, log }: CspReportDeps): void {
  void http.register((scope, _options, done) => {
    scope.addContentTypeParser('application/csp-report', { parseAs: 'string' }, (_request, text, parsed) => {
      try {
        parsed(null, JSON.parse(String(text)));
      } catch {
        parsed(null, null);
      }
    });
    // Before the body is read, so that a report over the limit costs nothing.
    scope.addHook('onRequest', async (request, reply) => {
      const taken = await limits.take('cspReports', addresses.networkOf(request.raw));
      if (!taken.ok) await reply.code(204).send();
    });
    scope.post('/csp-report', async (request, reply) => {
      const read = report.safeParse(request.body);
      if (read.success) {
        const breach = read.data['csp-report'];
        const fields = {
          directive: breach['violated-directive'],
          blocked: withoutQuery(breach['blocked-uri']),
          page: withoutQuery(breach['document-uri']),
          line: breach['line-number'],
        };
        log.warn(fields, 'page.csp-violation');
      }
      return reply.code(204).send();
    });
    done();
  });
}
