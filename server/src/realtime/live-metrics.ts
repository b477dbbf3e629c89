/**
 * The figures of what goes over the socket, for Prometheus: connections and what waits on them, how requests went, what
 * was delivered, and how far players are off.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestName, Result } from '@tunemate/protocol';

/** Notes how one request was answered, after so many milliseconds. */
export type NoteAnswer = (name: RequestName, result: Result<unknown>, tookMs: number) => void;
/** Notes that so many changes were sent to so many connections. */
export type NoteDelivery = (changes: number, connections: number) => void;

/** What the connections of this process amount to at this moment. */
export interface Load {
  connections: number;
  /** Requests that wait for those before them. */
  requests: number;
  /** Bytes that clients have not read. */
  unsentBytes: number;
}

export function liveMetrics(registry: Registry): {
  noteAnswer: NoteAnswer;
  noteDelivery: NoteDelivery;
  /** Shows this load from now on. */
  watch: (load: () => Load) => void;
} {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'tunemate_socket_request_seconds',
    help: 'How long requests over the socket took, by name.',
    labelNames: ['request'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const refusals = new Counter({
    name: 'tunemate_socket_refusals_total',
    help: 'Refused requests over the socket, by code.',
    labelNames: ['code'],
    registers,
  });
  const deliveries = new Counter({
    name: 'tunemate_deliveries_total',
    help: 'Changes that were sent, counted once for each connection.',
    registers,
  });
  return {
    noteAnswer(request, result, tookMs) {
      seconds.observe({ request }, tookMs / 1000);
      if (!result.ok) refusals.inc({ code: result.error.code });
    },
    noteDelivery: (changes, connections) => deliveries.inc(changes * connections),
    watch(load) {
      const gauge = (name: string, help: string, read: (now: Load) => number) =>
        void new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read(load()));
          },
        });
      gauge('tunemate_connections', 'Open connections of pages to this process.', ({ connections }) => connections);
      gauge(
        'tunemate_requests_waiting',
        'Requests of pages that wait for those before them.',
        ({ requests }) => requests,
      );
      gauge('tunemate_unsent_bytes', 'Bytes that pages have not read yet.', ({ unsentBytes }) => unsentBytes);
    },
  };
}

/** How far players are from where their room is, as their pages report it with a clock probe. */
export function driftMetric(registry: Registry): (driftMs: number) => void {
  const drift = new Histogram({
    name: 'tunemate_drift_seconds',
    help: 'How far players are from their room, early or late, as pages report it.',
    buckets: [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (driftMs) => drift.observe(Math.abs(driftMs) / 1000);
}
