import type { FollowStatus } from '@tunemate/playback';
import { t } from '../language/t.ts';

/** The player's texts. Those that differ by kind of room are arguments. */
export const playbackSentences = {
  player: t`Player`,
  playing: t`Playing`,
  nowPlaying: t`Now playing`,
  paused: t`Paused`,
  live: t`LIVE`,
  playsFromNow: t`Plays from now`,
  elsewhere: t`Playing in another tab`,
  takeOver: t`Take over`,
  playHere: t`Play here`,
  held: t`Paused on this device`,
  backToLive: t`Back to live`,
  tapToListen: t`Tap to listen`,
  hostAway: t`Host is reconnecting…`,
  notFetched: t`This track could not be fetched. Trying again…`,
  cannotPlayHere: t`This track cannot be played on this device.`,
  lacks: {
    picture: t`This browser cannot show the picture of this film, only play its sound. A copy in H.264 shows in every browser.`,
    sound: t`This browser cannot play the sound of this film. A copy with AAC sound plays in every browser.`,
    mute: t`This film has no sound.`,
  },
  stuckForHost: t`This track does not begin to play. Wait, or choose another one.`,
  stuck: t`This track does not begin to play on this device. Reload the page to try again.`,
  queue: t`Queue`,
  nothingChosen: t`Nothing chosen yet`,
} as const;

/** The badge: `±5 ms` while it plays, else what it waits for. */
interface SyncWords {
  readonly text: string;
  readonly isInStep: boolean;
}

/** A smaller difference is inaudible. */
const inStepMs = 40;

const waitingWords: Partial<Record<FollowStatus['status'], string>> = {
  'waiting-for-clock': t`Setting the clock`,
  loading: t`Loading`,
  cued: t`Ready`,
  buffering: t`Buffering`,
  blocked: t`Silent`,
  failed: t`Cannot play`,
};

/** Null while nothing plays. */
export function syncWords(follow: FollowStatus): SyncWords | null {
  const { status, smoothedDriftMs, driftMs, uncertaintyMs, isInexact } = follow;
  const waiting = waitingWords[status];
  if (waiting !== undefined) return { text: waiting, isInStep: false };
  const offMs = smoothedDriftMs ?? driftMs;
  if (offMs === null || (status !== 'playing' && status !== 'correcting')) return null;
  if (!Number.isFinite(uncertaintyMs)) return { text: t`Setting the clock`, isInStep: false };
  const roundedMs = Math.round(Math.abs(offMs) + uncertaintyMs);
  const text = roundedMs < 1000 ? t`±${roundedMs} ms` : `±${(roundedMs / 1000).toFixed(1)} s`;
  if (isInexact) return { text: t`about ${text}`, isInStep: false };
  return { text, isInStep: roundedMs <= inStepMs };
}
