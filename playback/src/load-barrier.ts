/**
 * When the room starts after a track change: as soon as everybody who was there has loaded the track, and in any case
 * three seconds after the change. A stuck listener never blocks the room. Names nobody's connection and sets no timer.
 */
import { LOAD_BARRIER_MS } from './timings.ts';

/** How far somebody has come with loading the new track; `unable` is not waited for. */
export type LoadStatus = 'loading' | 'ready' | 'unable';

/** Whether to start now, or until when to wait at the latest (in the time of `changedAtMs`). */
export type BarrierDecision = { readonly type: 'start' } | { readonly type: 'wait'; readonly untilMs: number };

/** Decides for a track change at `changedAtMs`. Whoever came later is not in `statuses`: late joiners start on their own. */
export function loadBarrier(statuses: Iterable<LoadStatus>, changedAtMs: number, nowMs: number): BarrierDecision {
  const untilMs = changedAtMs + LOAD_BARRIER_MS;
  if (nowMs >= untilMs) return { type: 'start' };
  for (const status of statuses) if (status === 'loading') return { type: 'wait', untilMs };
  return { type: 'start' };
}
