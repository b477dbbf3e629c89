/**
 * What a listener's tab owes the room after a change of track: one report, as soon as its player has loaded what waits
 * to start. Pure; the tab and the simulated tab both run this.
 */
import type { FollowStatus } from './follow-status.ts';
import type { Timeline } from '../room/timeline.ts';
import { maxLeadMs } from '../timings.ts';

/**
 * The start that waits until players have loaded the track, null while none does: another track, or a start further
 * ahead than any command's own lead. A change of something else in the room meanwhile leaves it as it is.
 * `serverMs` is NaN while the clock is unknown.
 */
export function awaitedStart(
  awaited: Timeline | null,
  before: Timeline,
  now: Timeline,
  serverMs: number,
): Timeline | null {
  if (now.revision === before.revision) return awaited;
  const isPlaying = now.isPlaying && now.trackKey !== null;
  const isOtherTrack = now.trackKey !== before.trackKey;
  if (isPlaying && awaited !== null && !isOtherTrack) {
    const isLeft = now.atServerMs - serverMs > maxLeadMs && now.atServerMs !== awaited.atServerMs;
    return isLeft ? now : awaited;
  }
  return isPlaying && (isOtherTrack || now.atServerMs - serverMs > maxLeadMs) ? now : null;
}

/** True once the player has done what the start waits for, or never will. */
export function hasLoaded(awaited: Timeline, { status, revision }: FollowStatus): boolean {
  const isLoading = status === 'idle' || status === 'loading' || status === 'waiting-for-clock';
  return !isLoading && revision >= awaited.revision;
}
