/**
 * A player whose code is fetched with its first track: until then it remembers what it was told. Knows nothing of how
 * that player plays.
 */
import type { PlayerCapabilities, PlayerEvent, PlayerSnapshot } from '@tunemate/playback';
import type { Loudness, OneSourcePlayer } from './audible-player.ts';

export class LaterPlayer implements OneSourcePlayer {
  readonly #bring: () => Promise<OneSourcePlayer>;
  readonly #listeners = new Set<(event: PlayerEvent) => void>();
  #player: OneSourcePlayer | null = null;
  #isFetching = false;
  #isDisposed = false;
  #cue: { readonly trackKey: string; readonly startSeconds: number } | null = null;
  #hasFailed = false;
  #loudness: Loudness | null = null;

  /** `bring` fetches the code and makes the player; after a failure the next track tries again. */
  constructor(bring: () => Promise<OneSourcePlayer>) {
    this.#bring = bring;
  }

  load(trackKey: string, startSeconds: number): void {
    if (this.#player !== null) return this.#player.load(trackKey, startSeconds);
    this.#cue = { trackKey, startSeconds };
    this.#hasFailed = false;
    if (!this.#isFetching) void this.#fetch();
  }

  unload(): void {
    this.#cue = null;
    this.#player?.unload();
  }

  play(): void {
    this.#player?.play();
  }

  pause(): void {
    this.#player?.pause();
  }

  seek(positionSeconds: number): void {
    this.#player?.seek(positionSeconds);
  }

  setRate(rate: number): void {
    this.#player?.setRate(rate);
  }

  setLoudness(loudness: Loudness): void {
    this.#loudness = loudness;
    this.#player?.setLoudness(loudness);
  }

  found(): PlayerCapabilities | null {
    return this.#player?.found?.() ?? null;
  }

  snapshot(): PlayerSnapshot {
    if (this.#player !== null) return this.#player.snapshot();
    const waiting = this.#hasFailed ? 'failed' : 'loading';
    return {
      phase: this.#cue === null ? 'empty' : waiting,
      positionSeconds: this.#cue?.startSeconds ?? 0,
      rate: 1,
      durationSeconds: null,
      bufferedUntilSeconds: null,
    };
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
    this.#player?.dispose();
  }

  async #fetch(): Promise<void> {
    this.#isFetching = true;
    try {
      this.#come(await this.#bring());
    } catch {
      this.#hasFailed = true;
      this.#emit({ type: 'failed', code: 'network' });
    } finally {
      this.#isFetching = false;
    }
  }

  #come(player: OneSourcePlayer): void {
    if (this.#isDisposed) return player.dispose();
    this.#player = player;
    player.subscribe((event) => this.#emit(event));
    if (this.#loudness !== null) player.setLoudness(this.#loudness);
    if (this.#cue !== null) player.load(this.#cue.trackKey, this.#cue.startSeconds);
    this.#emit({ type: 'changed' });
  }

  #emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
