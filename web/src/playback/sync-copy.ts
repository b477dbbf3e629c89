/** How far this player may be off at most, in words for the badge. Pure. */
import type { FollowStatus } from '@tunemate/playback';

/** What the badge shows: `±5 ms` once it plays, else what it waits for; and whether that is in step. */
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
export function syncCopy(follow: FollowStatus): SyncCopy | null {
  const { status, smoothedDriftMs, driftMs, uncertaintyMs, isInexact } = follow;
  const waiting = waitingWords[status];
  if (waiting !== undefined) return { text: waiting, isInStep: false };
  const offMs = smoothedDriftMs ?? driftMs;
  if (offMs === null || (status !== 'playing' && status !== 'correcting')) return null;
  if (!Number.isFinite(uncertaintyMs)) return { text: 'Setting the clock', isInStep: false };
  const roundedMs = Math.round(Math.abs(offMs) + uncertaintyMs);
  const text = roundedMs < 1000 ? `±${roundedMs} ms` : `±${(roundedMs / 1000).toFixed(1)} s`;
  if (isInexact) return { text: `${text}, may be off`, isInStep: false };
  return { text, isInStep: roundedMs <= inStepMs };
}
