/**
 * When a change of somebody's presence is sent: at most once in 5 s, with the state of that moment. So the cost for
 * others is limited, however often a person connects and disconnects (PRES-16).
 */

/** The shortest time between two reports of one person's presence. */
export const presencePauseMs = 5000;

export interface PresenceFact {
  /** The state that was sent last, and when. */
  readonly isShownOnline: boolean;
  readonly sentAtMs: number;
  readonly isConnected: boolean;
  readonly nowMs: number;
}

export type PresenceUpdate =
  /** The state that was sent last still holds. */
  { readonly type: 'none' } | { readonly type: 'now' } | { readonly type: 'later'; readonly atMs: number };

export function decidePresenceUpdate({ isShownOnline, sentAtMs, isConnected, nowMs }: PresenceFact): PresenceUpdate {
  if (isShownOnline === isConnected) return { type: 'none' };
  // A time in the future means that a clock was set back: don't wait until it has caught up.
  const isTooSoon = nowMs >= sentAtMs && nowMs < sentAtMs + presencePauseMs;
  return isTooSoon ? { type: 'later', atMs: sentAtMs + presencePauseMs } : { type: 'now' };
}
