/**
 * Receives the browsers' reports of content policy violations. Only the facts of a violation are logged; reports over
 * the limit are ignored.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Limits } from '../access/limits.ts';
import type { Log } from '../system/ports.ts';
import type { Addresses } from './address.ts';

const report = z.object({
  'csp-report': z.object({
    'violated-directive': z.string().max(200).optional(),
    'blocked-uri': z.string().max(2000).optional(),
    'document-uri': z.string().max(2000).optional(),
    'line-number': z.number().optional(),
  }),
});

export interface CspReportDeps {
  limits: Limits;
  addresses: Addresses;
  log: Log;
}

/** An address without its query: that of the e-mail action page holds a one-time code. */
const withoutQuery = (address: string | undefined): string | undefined => address?.split(/[?#]/, 1)[0];

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
