/**
 * The port that every player implements: the browser's own media element, YouTube's embedded player, and the simulated one.
 * Says what a player can do and how it is, never how it does it. No DOM here.
 */

/**
 * What a player is doing.
 * - `empty`: nothing loaded · `loading`: not able to start yet · `paused`: cued and able to start at once
 * - `playing`: the position advances · `buffering`: told to play, but it stands still (lack of data, a seek, an advert)
 * - `ended`: reached the end · `failed`: this track cannot be played here
 */
export type PlayerPhase = 'empty' | 'loading' | 'paused' | 'playing' | 'buffering' | 'ended' | 'failed';

/** One reading of a player. Taken in a single task, so that position and time belong together. */
export interface PlayerSnapshot {
  readonly phase: PlayerPhase;
  /** Seconds from the beginning of the track. */
  readonly positionSeconds: number;
  /** The rate that the player really runs at, which may not be the one that was asked for. */
  readonly rate: number;
  /** Null until it is known. */
  readonly durationSeconds: number | null;
  /** How far the track can be played from here without waiting, in seconds from its beginning; null if unknown. */
  readonly bufferedUntilSeconds: number | null;
  /** Where the stretch begins that is there without waiting, this position within; null or left out if unknown. */
  readonly bufferedFromSeconds?: number | null;
  /** Up to where a live stream has come by now; null or left out for what has an end. A live stream has no duration. */
  readonly liveEdgeSeconds?: number | null;
  /** True for a paused player that counts as ready by default: its browser has fetched nothing and waits for a start. */
  readonly hasNothingFetched?: boolean;
  /** True where the sound may be elsewhere than the position says; false or left out where nothing speaks for that. */
  readonly isInexact?: boolean;
  /** What the player itself knows the track to be called; null or left out where it does not. */
  readonly title?: string | null;
}

/** How a player's speed can be changed: any rate near 1, only the listed ones, or not at all. */
export type RateControl =
  | { readonly type: 'fine' }
  | { readonly type: 'steps'; readonly rates: readonly number[] }
  | { readonly type: 'none' };

/** The kinds of players whose latencies a device remembers. */
export const playerNames = ['media-element', 'youtube'] as const;
export type PlayerName = (typeof playerNames)[number];

/** What a player declares about itself. The follower treats it by this, never by its make. */
export interface PlayerCapabilities {
  /** Under which name a device remembers what it has learned of such players. */
  readonly name: PlayerName;
  readonly rateControl: RateControl;
  /** First guess of how late a seek lands while playing; the follower learns the real figure. */
  readonly seekLatencySeconds: number;
  /** First guess of how long `play()` takes until the position advances, after a load or a seek; learned as well. */
  readonly startLatencySeconds: number;
  /** The same of a player that goes on where it was paused. */
  readonly resumeLatencySeconds: number;
  /** How far one reading of the position may be from the truth. */
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
 * YouTube's codes: 2 `invalid`, 5 `unsupported`, 100 `not-found`, 101 and 150 `not-embeddable`, 153 `refused` (no referrer).
 * A media element adds `network`.
 */
export type PlayerErrorCode = 'invalid' | 'unsupported' | 'not-found' | 'not-embeddable' | 'refused' | 'network';

const youtubeErrors: Readonly<Record<number, PlayerErrorCode>> = {
  2: 'invalid',
  5: 'unsupported',
  100: 'not-found',
  101: 'not-embeddable',
  150: 'not-embeddable',
  153: 'refused',
};

/** Translates an error number of the YouTube IFrame API. */
export function youTubeError(code: number): PlayerErrorCode {
  return youtubeErrors[code] ?? 'unsupported';
}

/** What a player reports by itself, in the past tense. Anything that changed a snapshot is also worth `changed`. */
export type PlayerEvent =
  | { readonly type: 'changed' }
  | { readonly type: 'ended' }
  /** The browser refused to start without a tap. */
  | { readonly type: 'blocked' }
  /** Something on this device paused it: a headset, the lock screen, the browser. */
  | { readonly type: 'held' }
  /** Somebody started or moved it on this device, not by this port. */
  | { readonly type: 'started' }
  | { readonly type: 'sought'; readonly positionSeconds: number }
  | { readonly type: 'failed'; readonly code: PlayerErrorCode };

/** A player. Commands return at once; their effect shows in snapshots and events. */
export interface Player {
  /** What it will be able to do with a track, before that is loaded; one player may host several sources. */
  capabilitiesFor(trackKey: string | null): PlayerCapabilities;
  /**
   * Prepares a track, paused at `startSeconds`; the phase is `loading`, then `paused` (or `failed`). One that follows on
   * starts when the track before it ends, which may be heard until then.
   */
  load(trackKey: string, startSeconds: number, followsOn?: boolean): void;
  /** Drops the track; the phase becomes `empty`. */
  unload(): void;
  /** Starts or goes on. A refusal by the browser arrives as `blocked`. */
  play(): void;
  pause(): void;
  /** Moves to a position, playing on if it was playing. */
  seek(positionSeconds: number): void;
  setRate(rate: number): void;
  snapshot(): PlayerSnapshot;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: PlayerEvent) => void): () => void;
  dispose(): void;
}

/** Some players with rates in steps take two near 1 as well: small drifts then need no strong burst. */
const nearSteps = [0.95, 1.05] as const;

/** The rate to ask such a player for. */
export const nearRate = nearSteps[1];

export function withNearRates(capabilities: PlayerCapabilities): PlayerCapabilities {
  const { rateControl } = capabilities;
  if (rateControl.type !== 'steps') return capabilities;
  return { ...capabilities, rateControl: { type: 'steps', rates: [...rateControl.rates, ...nearSteps] } };
}
