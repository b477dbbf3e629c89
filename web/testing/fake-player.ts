/** A player for tests: obeys commands at once, and lets the test trigger events. */
import {
  mediaElementCapabilities,
  type PlayerErrorCode,
  type PlayerEvent,
  type PlayerSnapshot,
} from '@tunemate/playback';
import { signal } from '../src/store/cell.ts';
import type { AudiblePlayer, Loudness } from '../src/playback/players/source-player.ts';

export interface FakePlayer extends AudiblePlayer {
  readonly commands: string[];
  /** Tracks to load beside the current one, the newest last. */
  readonly prepared: readonly (string | null)[];
  loudness(): Loudness | null;
  become(change: Partial<PlayerSnapshot>): void;
  emit(event: PlayerEvent): void;
  fail(code: PlayerErrorCode): void;
  /** As when the device pauses it. */
  hold(): void;
}

const empty: PlayerSnapshot = {
  phase: 'empty',
  positionSeconds: 0,
  rate: 1,
  durationSeconds: null,
  bufferedUntilSeconds: null,
};

/** `loadsAtOnce` false leaves a loaded track loading until the test says otherwise. */
export function createFakePlayer({ loadsAtOnce = true, durationSeconds = 120 } = {}): FakePlayer {
  const commands: string[] = [];
  const prepared: (string | null)[] = [];
  const { emit, subscribe, clear } = signal<PlayerEvent>();
  let now = empty;
  let loud: Loudness | null = null;
  const become = (change: Partial<PlayerSnapshot>): void => {
    now = { ...now, ...change };
    emit({ type: 'changed' });
  };
  return {
    commands,
    capabilitiesFor: () => mediaElementCapabilities,
    load(trackKey, startSeconds) {
      commands.push(`load ${trackKey}`);
      now = { ...empty, phase: loadsAtOnce ? 'paused' : 'loading', positionSeconds: startSeconds, durationSeconds };
    },
    prepare: (trackKey) => void prepared.push(trackKey),
    prepared,
    unload() {
      commands.push('unload');
      now = empty;
    },
    play() {
      commands.push('play');
      now = { ...now, phase: 'playing' };
    },
    pause() {
      commands.push('pause');
      now = { ...now, phase: 'paused' };
    },
    seek(positionSeconds) {
      commands.push('seek');
      now = { ...now, positionSeconds };
    },
    setRate(rate) {
      now = { ...now, rate };
    },
    setLoudness(loudness) {
      loud = loudness;
    },
    loudness: () => loud,
    snapshot: () => now,
    subscribe,
    dispose: clear,
    become,
    emit,
    hold() {
      now = { ...now, phase: 'paused' };
      emit({ type: 'held' });
    },
    fail(code) {
      now = { ...now, phase: 'failed' };
      emit({ type: 'failed', code });
    },
  };
}
