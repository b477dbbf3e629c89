/**
 * The port that every player implements: the browser's media element, YouTube's embedded player, and the simulated one.
 * Describes abilities and state, never an implementation. No DOM here.
 */

/**
 * The state of a player.
 * - `empty`: nothing loaded · `loading`: cannot start yet · `paused`: cued and able to start at once
 * - `playing`: the position advances · `buffering`: should play, but stands still (lack of data, a seek, an advert)
 * - `ended`: reached the end · `failed`: this track cannot be played here
 */
export type PlayerPhase = 'empty' | 'loading' | 'paused' | 'playing' | 'buffering' | 'ended' | 'failed';

/** One reading of a player, taken in a single task, so that position and time match. */
export interface PlayerSnapshot {
  readonly phase: PlayerPhase;
  /** Seconds from the beginning of the track. */
  readonly positionSeconds: number;
  /** The actual rate, which may differ from the requested one. */
  readonly rate: number;
  /** Null until it is known. */
  readonly durationSeconds: number | null;
  /** The end of the loaded range around this position, in seconds from the track's beginning; null if unknown. */
  readonly bufferedUntilSeconds: number | null;
  /** The beginning of that range; null or left out if unknown. */
  readonly bufferedFromSeconds?: number | null;
  /** The newest position of a live stream; null or left out for other tracks. A live stream has no duration. */
  readonly liveEdgeSeconds?: number | null;
  /** True for a paused player that is ready only by default: its browser fetches nothing before a start. */
  readonly hasNothingFetched?: boolean;
  /** True where the sound may be elsewhere than the position; false or left out otherwise. */
  readonly isInexact?: boolean;
  /** The track's title as the player knows it; null or left out where it does not. */
  readonly title?: string | null;
}

/** Possible rates: any near 1, only the listed ones, or only 1. */
export type RateControl =
  | { readonly type: 'fine' }
  | { readonly type: 'steps'; readonly rates: readonly number[] }
  | { readonly type: 'none' };

/** The kinds of players whose latencies a device stores. */
export const playerNames = ['media-element', 'youtube'] as const;
export type PlayerName = (typeof playerNames)[number];

/** A player's abilities. The follower decides by these, never by the kind of player. */
export interface PlayerCapabilities {
  /** The key under which a device stores this player's latencies. */
  readonly name: PlayerName;
  readonly rateControl: RateControl;
  /** First guess of how late a seek lands while playing; the follower learns the actual value. */
  readonly seekLatencySeconds: number;
  /** First guess of the time from `play()` until the position advances, after a load or a seek; learned as well. */
  readonly startLatencySeconds: number;
  /** The same after a pause. */
  readonly resumeLatencySeconds: number;
  /** The error of one position reading. */
  readonly clockCoarsenessSeconds: number;
}

/** The browser's own media element in Chromium: measured. */
export const mediaElementCapabilities: PlayerCapabilities = {
  name: 'media-element',
  rateControl: { type: 'fine' },
  seekLatencySeconds: 0.095,
  startLatencySeconds: 0.095,
  resumeLatencySeconds: 0.01,
  clockCoarsenessSeconds: 0.001,
};

/** YouTube's embedded player: rates in steps, position interpolated from messages, seeks that buffer again. */
export const youtubeCapabilities: PlayerCapabilities = {
  name: 'youtube',
  rateControl: { type: 'steps', rates: [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] },
  seekLatencySeconds: 0.3,
  startLatencySeconds: 0.25,
  resumeLatencySeconds: 0.2,
  clockCoarsenessSeconds: 0.05,
};

/**
 * Why a track cannot be played here.
 * YouTube's codes: 2 `invalid`, 5 `unsupported`, 100 `not-found`, 101 and 150 `not-embeddable`, 153 `refused` (no
 * referrer). A media element adds `network`, `damaged` for a place that its decoder fails at, and `live` for a stream
 * without a beginning and an end.
 */
export type PlayerErrorCode =
  | 'invalid'
  | 'unsupported'
  | 'not-found'
  | 'not-embeddable'
  | 'refused'
  | 'network'
  | 'damaged'
  | 'live';

/** Tried again by itself: it says nothing about the rest of the track, and nothing about other devices. */
export const isPassing = (code: PlayerErrorCode | null): boolean => code === 'network' || code === 'damaged';

const youtubeErrors: Readonly<Record<number, PlayerErrorCode>> = {
  2: 'invalid',
  5: 'unsupported',
  100: 'not-found',
  101: 'not-embeddable',
  150: 'not-embeddable',
  153: 'refused',
};

export function youTubeError(code: number): PlayerErrorCode {
  return youtubeErrors[code] ?? 'unsupported';
}

/** Events of a player. Anything that changes a snapshot also causes `changed`. */
export type PlayerEvent =
  | { readonly type: 'changed' }
  | { readonly type: 'ended' }
  /** The browser refused to start without a tap. */
  | { readonly type: 'blocked' }
  /** Something on this device paused it: a headset, the lock screen, the browser. */
  | { readonly type: 'held' }
  /** A person started or moved it with its own controls. */
  | { readonly type: 'started' }
  | { readonly type: 'sought'; readonly positionSeconds: number }
  | { readonly type: 'failed'; readonly code: PlayerErrorCode };

/** Commands return at once; their effect shows in snapshots and events. */
export interface Player {
  /** The abilities for a track, known before it is loaded; one player may have several sources. */
  capabilitiesFor(trackKey: string | null): PlayerCapabilities;
  /**
   * Loads a track, paused at `startSeconds`; the phase is `loading`, then `paused` (or `failed`). With `followsOn` the
   * previous track may play to its end first.
   */
  load(trackKey: string, startSeconds: number, followsOn?: boolean): void;
  /** The phase becomes `empty`. */
  unload(): void;
  /** A refusal by the browser arrives as `blocked`. */
  play(): void;
  pause(): void;
  /** Keeps playing if it was playing. */
  seek(positionSeconds: number): void;
  setRate(rate: number): void;
  snapshot(): PlayerSnapshot;
  /** Returns the unsubscribe function. */
  subscribe(listener: (event: PlayerEvent) => void): () => void;
  dispose(): void;
}

/** Some players with rates in steps also accept two near 1: a small drift then needs no strong burst. */
const nearSteps = [0.95, 1.05] as const;

/** The rate that tests whether a player does. */
export const nearRate = nearSteps[1];

export function withNearRates(capabilities: PlayerCapabilities): PlayerCapabilities {
  const { rateControl } = capabilities;
  if (rateControl.type !== 'steps') return capabilities;
  return { ...capabilities, rateControl: { type: 'steps', rates: [...rateControl.rates, ...nearSteps] } };
}
