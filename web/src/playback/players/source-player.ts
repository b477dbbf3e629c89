/**
 * One player over several sources: gives each track to the player of its source, created when first needed.
 */
import {
  mediaElementCapabilities,
  type Player,
  type PlayerCapabilities,
  type PlayerEvent,
  type PlayerSnapshot,
  youtubeCapabilities,
} from '@tunemate/playback';

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
  readonly #listeners = new Set<(event: PlayerEvent) => void>();
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

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#listeners.clear();
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
      if (player !== this.#active) return;
      for (const listener of this.#listeners) listener(event);
    });
    return player;
  }
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
