import type { FollowStatus } from '@tunemate/playback';

/** The player's texts. Those that differ by kind of room are arguments. */
export const playbackSentences = {
  player: 'Player',
  playing: 'Playing',
  nowPlaying: 'Now playing',
  paused: 'Paused',
  live: 'LIVE',
  playsFromNow: 'Plays from now',
  elsewhere: 'Playing in another tab',
  takeOver: 'Take over',
  playHere: 'Play here',
  held: 'Paused on this device',
  backToLive: 'Back to live',
  tapToListen: 'Tap to listen',
  hostAway: 'Host is reconnecting…',
  notFetched: 'This track could not be fetched. Trying again…',
  cannotPlayHere: 'This track cannot be played on this device.',
  lacks: {
    picture:
      'This browser cannot show the picture of this film, only play its sound. A copy in H.264 shows in every browser.',
    sound: 'This browser cannot play the sound of this film. A copy with AAC sound plays in every browser.',
    mute: 'This film has no sound.',
  },
  stuckForHost: 'This track does not begin to play. Wait, or choose another one.',
  stuck: 'This track does not begin to play on this device. Reload the page to try again.',
  queue: 'Queue',
  nothingChosen: 'Nothing chosen yet',
} as const;

/** What guests read about the host: 'Mara is playing for everyone' only while she is here and something plays. */
export function hostNote(hostName: string, now: { hasTrack: boolean; isPlaying: boolean; isAway: boolean }): string {
  const first = hostName.split(/\s/u)[0] ?? hostName;
  if (now.isAway) return `${first} is away for a moment`;
  if (!now.hasTrack) return `${first} has not chosen anything yet`;
  return now.isPlaying ? `${first} is playing for everyone` : `${first} chooses when it plays`;
}

/** In an empty queue: what this person can do about it. */
export const queueEmpty = {
  choose: 'Nothing queued yet. Search and choose something.',
  add: 'Nothing queued yet. Search and add something.',
  propose: 'Nothing queued yet. Search and propose something.',
  wait: 'Nothing queued yet.',
} as const;

/** 'Velvet Hour cannot be played. YouTube does not allow it here.' */
export function trackFailed(title: string, code: string): string {
  return `${title} cannot be played. ${why[code] ?? why['unsupported']}`;
}

const why: Readonly<Record<string, string>> = {
  invalid: 'The link is not right.',
  unsupported: 'The player does not know how.',
  'not-found': 'It is not there any more.',
  'not-embeddable': 'Its owner does not allow it outside YouTube.',
  refused: 'YouTube refused this page.',
};

/** The badge: `±5 ms` while it plays, else what it waits for. */
interface SyncWords {
  readonly text: string;
  readonly isInStep: boolean;
}

/** A smaller difference is inaudible. */
const inStepMs = 40;

const waitingWords: Partial<Record<FollowStatus['status'], string>> = {
  'waiting-for-clock': 'Setting the clock',
  loading: 'Loading',
  cued: 'Ready',
  buffering: 'Buffering',
  blocked: 'Silent',
  failed: 'Cannot play',
};

/** Null while nothing plays. */
export function syncWords(follow: FollowStatus): SyncWords | null {
  const { status, smoothedDriftMs, driftMs, uncertaintyMs, isInexact } = follow;
  const waiting = waitingWords[status];
  if (waiting !== undefined) return { text: waiting, isInStep: false };
  const offMs = smoothedDriftMs ?? driftMs;
  if (offMs === null || (status !== 'playing' && status !== 'correcting')) return null;
  if (!Number.isFinite(uncertaintyMs)) return { text: 'Setting the clock', isInStep: false };
  const roundedMs = Math.round(Math.abs(offMs) + uncertaintyMs);
  const text = roundedMs < 1000 ? `±${roundedMs} ms` : `±${(roundedMs / 1000).toFixed(1)} s`;
  if (isInexact) return { text: `about ${text}`, isInStep: false };
  return { text, isInStep: roundedMs <= inStepMs };
}
