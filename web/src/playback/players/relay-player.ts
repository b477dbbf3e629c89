/**
 * Two players of one source that alternate: while one plays, the other loads the next track, for gapless track changes.
 * The ending track plays to its end.
 */
import type { PlayerEvent, PlayerSnapshot, Schedule } from '@tunemate/playback';
import type { Loudness, OneSourcePlayer } from './source-player.ts';

/** A track loaded ahead is not moved if it is this close to its start position. */
const samePlaceSeconds = 0.005;
/** A track that is longer than expected overlaps the next one by at most this. */
const longestOverlapMs = 200;

interface RelayPorts {
  readonly schedule: Schedule;
  /** Called with the player to show: the ending one, until the next one plays. */
  readonly onTurn: (active: OneSourcePlayer) => void;
}

export class RelayPlayer implements OneSourcePlayer {
  readonly #listeners = new Set<(event: PlayerEvent) => void>();
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

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#listeners.clear();
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
    for (const listener of this.#listeners) listener(event);
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
