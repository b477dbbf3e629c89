/**
 * Remembers in the memory of this page that the user tapped an invitation, so that the join screen asks at once. An address
 * never says it: any site can open an address. `shell/tap-records.ts` has the taps on push messages.
 */
import type { Uid } from '@tunemate/protocol';

/** How long a tap counts, from `atMs` on. */
export const isFreshTap = (atMs: number, nowMs: number): boolean => nowMs - atMs >= 0 && nowMs - atMs < 60_000;

export interface Taps {
  /** The user tapped a link to this address on a screen of ours. */
  begin(link: string, uid: Uid): void;
  /** True once for each tap, within a minute and for the same user. */
  take(link: string, uid: Uid): boolean;
}

export function createTaps(nowMs: () => number): Taps {
  let tap: { link: string; uid: Uid; atMs: number } | null = null;
  return {
    begin(link, uid) {
      tap = { link, uid, atMs: nowMs() };
    },
    take(link, uid) {
      const taken = tap;
      tap = null;
      return taken !== null && taken.link === link && taken.uid === uid && isFreshTap(taken.atMs, nowMs());
    },
  };
}
