/**
 * When a change of somebody's presence is told. Whoever comes and goes all the time is told of at most once in 5 s, with
 * the state that holds then; so it costs others the same, however often it happens.
 */

/** The least time between two tellings of one person's presence. */
export const presencePauseMs = 5000;

export interface PresenceFact {
  /** What was told last, and when. */
  readonly isToldOnline: boolean;
  readonly toldAtMs: number;
  readonly isConnected: boolean;
  readonly nowMs: number;
}

export type Telling =
  /** What was told still holds. */
  { readonly type: 'none' } | { readonly type: 'now' } | { readonly type: 'later'; readonly atMs: number };

export function decideTelling({ isToldOnline, toldAtMs, isConnected, nowMs }: PresenceFact): Telling {
  if (isToldOnline === isConnected) return { type: 'none' };
  // A time to come means that a clock was set back: nobody waits for it to catch up.
  const isTooSoon = nowMs >= toldAtMs && nowMs < toldAtMs + presencePauseMs;
  return isTooSoon ? { type: 'later', atMs: toldAtMs + presencePauseMs } : { type: 'now' };
}
