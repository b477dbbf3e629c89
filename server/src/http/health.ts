/**
 * Health for supervisors, and metrics for Prometheus, which only the operator may read: for others the address does
 * not exist.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Result } from '@tunemate/protocol';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Limits } from '../access/limits.ts';
import { accept, refuse } from '../system/ports.ts';
import type { Addresses } from './address.ts';
import { sendRefusal } from './answers.ts';

interface HealthDeps {
  /** Whether requests can be served: the database answers, the schema is current, the server is not closing. */
  isReady: () => Promise<boolean>;
  operator: OperatorAccess;
  metrics: Registry;
}

/**
 * The metrics of the process. What observes it can't be stopped: one for each server of a process would see every
 * collection of garbage, and keep its server after that has closed.
 */
let ofProcess: Registry | null = null;

function observeProcess(): Registry {
  const register = new Registry();
  // Each look wakes the process. At the default of 10 ms that was most of what a server without users cost.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 40 });
  return register;
}

/** A registry with the metrics of the process; other modules add theirs. */
export function createMetrics(): Registry {
  ofProcess ??= observeProcess();
  return Registry.merge([ofProcess]);
}

export function healthRoutes(http: FastifyInstance, deps: HealthDeps): void {
  const { isReady, operator, metrics } = deps;
  const seconds = new Histogram({
    name: 'tunemate_http_request_seconds',
    help: 'How long HTTP requests took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  });
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'other';
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });

  http.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }));
  // These requests have no limit, so concurrent ones share one query of the database.
  let checking: Promise<boolean> | null = null;
  http.get('/readyz', async (_request, reply) => {
    checking ??= isReady().finally(() => (checking = null));
    const ready = await checking;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not-ready' });
  });
  http.get('/metrics', async (request, reply) => {
    const admitted = await operator.admit(request.raw);
    if (!admitted.ok) return sendRefusal(reply, admitted);
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

export type OperatorAccess = ReturnType<typeof operatorAccess>;

/**
 * A request over HTTP is the operator's when it carries METRICS_TOKEN or, without that setting, comes from this
 * machine. The token comes as a bearer, or as the password that a browser asks for.
 */
export function operatorAccess(token: string | null, addresses: Addresses, limits: Limits) {
  return {
    /** Refuses all others as an address that does not exist, and guesses of the token with limit/too-many. */
    async admit(request: IncomingMessage): Promise<Result<unknown>> {
      const { authorization } = request.headers;
      const isOperator =
        token === null
          ? addresses.isLocal(request)
          : authorization !== undefined && isSame(tokenOf(authorization), token);
      if (token !== null && authorization !== undefined) {
        // Only wrong tokens count. Beyond the limit the right one is refused too: otherwise guessing could go on.
        const counting = isOperator ? limits.peek : limits.take;
        const counted = await counting('wrongTokensIp', addresses.networkOf(request));
        if (!counted.ok) return counted;
      }
      return isOperator ? accept({}) : refuse('access/not-found');
    },
    asksForToken: token !== null,
  };
}

/** The token of `Bearer TOKEN`, or of `Basic` with any name and the token as the password. */
function tokenOf(authorization: string): string {
  const [scheme = '', given = ''] = authorization.split(' ');
  if (scheme.toLowerCase() === 'bearer') return given;
  if (scheme.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(given, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
