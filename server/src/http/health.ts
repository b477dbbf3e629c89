/**
 * Health for supervisors and metrics for Prometheus. Metrics are for the operator; for anyone else the address does not
 * exist.
 */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { refuse } from '../ports.ts';
import { sendRefusal } from './answers.ts';
import type { OperatorAccess } from './operator-access.ts';

export interface HealthDeps {
  /** Whether requests can be served: the database answers, the schema is current, the server is not closing. */
  isReady: () => Promise<boolean>;
  operator: OperatorAccess;
  metrics: Registry;
}

/** A registry with the process's own figures; other parts add theirs. */
export function createMetrics(): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  return metrics;
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
  // Requests without a limit: those that wait at the same time share one query of the database.
  let asking: Promise<boolean> | null = null;
  http.get('/readyz', async (_request, reply) => {
    asking ??= isReady().finally(() => (asking = null));
    const ready = await asking;
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not-ready' });
  });
  http.get('/metrics', async (request, reply) => {
    if (!operator.isOperator(request.raw)) return sendRefusal(reply, refuse('access/not-found'));
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
