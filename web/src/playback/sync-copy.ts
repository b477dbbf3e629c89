/** How far this player is off, in words for the badge. Pure. */
import type { FollowStatus } from '@tunemate/playback';

/** What the badge shows: `±4 ms` once it plays, else what it waits for; and whether that is in step. */
export interface SyncCopy {
  readonly text: string;
  readonly isInStep: boolean;
}

/** Within this nobody hears a difference. */
const inStepMs = 40;

const waitingWords: Partial<Record<FollowStatus['status'], string>> = {
  'waiting-for-clock': 'Setting the clock',
  loading: 'Loading',
  cued: 'Ready',
  buffering: 'Buffering',
  blocked: 'Silent',
  failed: 'Cannot play',
};

/** Null when there is nothing to be in step with. */
export function syncCopy({ status, smoothedDriftMs, driftMs }: FollowStatus): SyncCopy | null {
  const waiting = waitingWords[status];
  if (waiting !== undefined) return { text: waiting, isInStep: false };
  const offMs = smoothedDriftMs ?? driftMs;
  if (offMs === null || (status !== 'playing' && status !== 'correcting')) return null;
  const roundedMs = Math.round(Math.abs(offMs));
  const text = roundedMs < 1000 ? `±${roundedMs} ms` : `±${(roundedMs / 1000).toFixed(1)} s`;
  return { text, isInStep: roundedMs <= inStepMs };
}
