/**
 * One player over several: gives each track to the player of its source, created when first needed, and lets two players
 * of one source take turns.
 */
import {
  mediaElementCapabilities,
  type Player,
  type PlayerCapabilities,
  type PlayerEvent,
  type PlayerSnapshot,
  type Schedule,
  youtubeCapabilities,
} from '@tunemate/playback';
import { signal } from '../../store/cell.ts';

export type Source = 'library' | 'youtube';

/** Library ids begin with `lib_`, and links, which play in the same elements, with `link:`. */
export function sourceOf(trackKey: string): Source {
  return /^li(?:b_|nk:)/.test(trackKey) ? 'library' : 'youtube';
}

const capabilities: Readonly<Record<Source, PlayerCapabilities>> = {
  library: mediaElementCapabilities,
  youtube: youtubeCapabilities,
};

const nothing: PlayerSnapshot = {
  phase: 'empty',
  positionSeconds: 0,
  rate: 1,
  durationSeconds: null,
  bufferedUntilSeconds: null,
};

export class SourcePlayer implements AudiblePlayer {
  readonly #makers: Record<Source, () => OneSourcePlayer>;
  readonly #made = new Map<Source, OneSourcePlayer>();
  readonly #events = signal<PlayerEvent>();
  readonly subscribe = this.#events.subscribe;
  readonly #onSource: (source: Source | null) => void;
  #active: OneSourcePlayer | null = null;
  #loudness: Loudness = { volume: 1, isMuted: false };

  /** `onSource` gets the source of each loaded track. */
  constructor(
    makers: Record<Source, () => OneSourcePlayer>,
    onSource: (source: Source | null) => void = () => undefined,
  ) {
    this.#onSource = onSource;
    this.#makers = makers;
  }

  capabilitiesFor(trackKey: string | null): PlayerCapabilities {
    const source = trackKey === null ? 'library' : sourceOf(trackKey);
    return this.#made.get(source)?.found?.() ?? capabilities[source];
  }

  prepare(trackKey: string | null): void {
    const source = trackKey === null ? null : sourceOf(trackKey);
    for (const [each, player] of this.#made) player.prepare?.(each === source ? trackKey : null);
  }

  load(trackKey: string, startSeconds: number, followsOn = false): void {
    const source = sourceOf(trackKey);
    const player = this.#playerFor(source);
    this.#onSource(source);
    if (player !== this.#active) this.#active?.unload();
    this.#active = player;
    player.load(trackKey, startSeconds, followsOn);
  }

  unload(): void {
    this.#onSource(null);
    this.#active?.unload();
  }

  play(): void {
    this.#active?.play();
  }

  pause(): void {
    this.#active?.pause();
  }

  seek(positionSeconds: number): void {
    this.#active?.seek(positionSeconds);
  }

  setRate(rate: number): void {
    this.#active?.setRate(rate);
  }

  snapshot(): PlayerSnapshot {
    return this.#active?.snapshot() ?? nothing;
  }

  setLoudness(loudness: Loudness): void {
    this.#loudness = loudness;
    for (const player of this.#made.values()) player.setLoudness(loudness);
  }

  dispose(): void {
    this.#events.clear();
    for (const player of this.#made.values()) player.dispose();
    this.#made.clear();
    this.#active = null;
  }

  #playerFor(source: Source): OneSourcePlayer {
    const known = this.#made.get(source);
    if (known !== undefined) return known;
    const player = this.#makers[source]();
    this.#made.set(source, player);
    player.setLoudness(this.#loudness);
    player.subscribe((event) => {
      if (player === this.#active) this.#events.emit(event);
    });
    return player;
  }
}

/** A track loaded ahead is not moved if it is this close to its start position. */
const samePlaceSeconds = 0.005;
/** A track that is longer than expected overlaps the next one by at most this. */
const longestOverlapMs = 200;

interface RelayPorts {
  readonly schedule: Schedule;
  /** Called with the player to show: the ending one, until the next one plays. */
  readonly onTurn: (active: OneSourcePlayer) => void;
}

/**
 * Two players of one source that alternate: while one plays, the other loads the next track, for gapless track changes.
 * The ending track plays to its end.
 */
export class RelayPlayer implements OneSourcePlayer {
  readonly #events = signal<PlayerEvent>();
  readonly subscribe = this.#events.subscribe;
  readonly #ports: RelayPorts;
  #active: OneSourcePlayer;
  #other: OneSourcePlayer;
  /** The track that the other player has loaded or is loading. */
  #prepared: string | null = null;
  /** The other player is still heard: its track is about to end. */
  #isOtherEnding = false;
  /** False once the browser wants a tap for each element; then only the tapped one plays. */
  #mayTakeTurns = true;
  readonly #hasPlayed = new Set<OneSourcePlayer>();
  #trackKey: string | null = null;
  #turns = 0;
  #shown: OneSourcePlayer;

  constructor(first: OneSourcePlayer, second: OneSourcePlayer, ports: RelayPorts) {
    this.#active = first;
    this.#other = second;
    this.#ports = ports;
    this.#shown = first;
    for (const player of [first, second]) player.subscribe((event) => this.#onEvent(player, event));
  }

  prepare(trackKey: string | null): void {
    if (trackKey === this.#prepared || this.#isOtherEnding || !this.#mayTakeTurns) return;
    this.#prepared = trackKey;
    if (trackKey === null) this.#other.unload();
    else this.#other.load(trackKey, 0);
  }

  load(trackKey: string, startSeconds: number, followsOn = false): void {
    const isPrepared = this.#prepared === trackKey && isUsable(this.#other.snapshot());
    this.#trackKey = trackKey;
    this.#prepared = null;
    if (!this.#mayTakeTurns || !(isPrepared || followsOn)) {
      this.#stopOther();
      return this.#active.load(trackKey, startSeconds);
    }
    this.#takeTurns();
    this.#isOtherEnding = followsOn;
    if (!followsOn) this.#stopOther();
    if (!isPrepared) return this.#active.load(trackKey, startSeconds);
    const isThere = Math.abs(this.#active.snapshot().positionSeconds - startSeconds) <= samePlaceSeconds;
    if (!isThere) this.#active.seek(startSeconds);
  }

  unload(): void {
    this.#trackKey = null;
    this.#prepared = null;
    this.#stopOther();
    this.#active.unload();
  }

  play(): void {
    this.#active.play();
  }

  pause(): void {
    this.#stopEnding();
    this.#active.pause();
  }

  seek(positionSeconds: number): void {
    this.#active.seek(positionSeconds);
  }

  setRate(rate: number): void {
    this.#active.setRate(rate);
  }

  snapshot(): PlayerSnapshot {
    return this.#active.snapshot();
  }

  setLoudness(loudness: Loudness): void {
    this.#active.setLoudness(loudness);
    this.#other.setLoudness(loudness);
  }

  dispose(): void {
    this.#events.clear();
    this.#active.dispose();
    this.#other.dispose();
  }

  #takeTurns(): void {
    this.#turns += 1;
    [this.#active, this.#other] = [this.#other, this.#active];
  }

  #show(player: OneSourcePlayer): void {
    if (player === this.#shown) return;
    this.#shown = player;
    this.#ports.onTurn(player);
  }

  #stopEnding(): void {
    if (this.#isOtherEnding) this.#stopOther();
  }

  #stopOther(): void {
    this.#isOtherEnding = false;
    this.#other.unload();
    this.#show(this.#active);
  }

  #onEvent(player: OneSourcePlayer, event: PlayerEvent): void {
    if (player !== this.#active) {
      if (event.type === 'ended') this.#stopEnding();
      return;
    }
    if (event.type === 'changed' && player.snapshot().phase === 'playing') this.#onPlaying(player);
    if (event.type === 'blocked' && this.#hasPlayed.has(this.#other)) return this.#playWithTheOther();
    this.#events.emit(event);
  }

  #onPlaying(player: OneSourcePlayer): void {
    this.#hasPlayed.add(player);
    if (!this.#isOtherEnding) return;
    this.#show(player);
    const round = this.#turns;
    this.#ports.schedule(() => {
      if (round === this.#turns) this.#stopEnding();
    }, longestOverlapMs);
  }

  /** Only the tapped element may sound: it plays this track too, and the players no longer alternate. */
  #playWithTheOther(): void {
    const { positionSeconds } = this.#active.snapshot();
    this.#mayTakeTurns = false;
    this.#isOtherEnding = false;
    this.#takeTurns();
    this.#stopOther();
    if (this.#trackKey !== null) this.#active.load(this.#trackKey, positionSeconds);
  }
}

function isUsable({ phase }: PlayerSnapshot): boolean {
  return phase === 'paused' || phase === 'loading';
}

/** Volume from 0 to 1; muting keeps the volume. */
export interface Loudness {
  readonly volume: number;
  readonly isMuted: boolean;
  /** Of the volume, by track; 1 where there is none. Only own media is turned down or up. */
  readonly factors?: ReadonlyMap<string, number>;
}

/** A Player with the volume of this device. */
export type AudiblePlayer = Player & {
  setLoudness(loudness: Loudness): void;
  /** Loads the probable next track besides the playing one, where possible; null for none. */
  prepare(trackKey: string | null): void;
};

/** A player of one source; its usual capabilities are known before it is created. */
export type OneSourcePlayer = Omit<AudiblePlayer, 'capabilitiesFor' | 'prepare'> &
  Partial<Pick<AudiblePlayer, 'prepare'>> & {
    /** The capabilities found at run time, where they differ; null or left out otherwise. */
    found?(): PlayerCapabilities | null;
  };
