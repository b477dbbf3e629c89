/**
 * The operator's status page over HTTP. For anyone else it does not exist, or, where METRICS_TOKEN is set, asks for the
 * token as a password. Tries are counted like all requests of an address.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Limits } from '../access/limits.ts';
import type { Addresses } from '../http/address.ts';
import { sendRefusal } from '../http/answers.ts';
import type { OperatorAccess } from '../http/health.ts';
import { refuse } from '../system/ports.ts';
import { type Facts, statusOf } from './status-figures.ts';
import { statusPage, statusStyle } from './status-page.ts';

export interface StatusDeps {
  operator: OperatorAccess;
  limits: Limits;
  addresses: Addresses;
  metrics: Registry;
  facts: () => Facts;
  publicUrl: () => string;
}

export function statusRoutes(http: FastifyInstance, deps: StatusDeps): void {
  const { operator, limits, addresses, metrics, facts, publicUrl } = deps;

  /** Null when the operator asks. */
  async function refusalOf(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const taken = await limits.take('httpIp', addresses.networkOf(request.raw));
    if (!taken.ok) return sendRefusal(reply, taken);
    if (operator.isOperator(request.raw)) return null;
    if (!operator.asksForToken) return sendRefusal(reply, refuse('access/not-found'));
    reply.header('www-authenticate', 'Basic realm="Tunemate status, METRICS_TOKEN", charset="UTF-8"');
    return sendRefusal(reply, refuse('auth/required'));
  }

  http.get('/status', async (request, reply) => {
    const refused = await refusalOf(request, reply);
    if (refused) return refused;
    const sections = statusOf(await metrics.getMetricsAsJSON(), facts());
    return reply.type('text/html; charset=utf-8').send(statusPage(new URL(publicUrl()).host, sections));
  });
  // It says nothing of the installation.
  http.get('/status.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(statusStyle));
}
