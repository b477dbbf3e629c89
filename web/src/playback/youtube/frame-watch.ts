/**
 * Watches YouTube's frame while it has a video: reads it four times a second, tells of what people do in it, and whether
 * its clock stands still.
 */
import type { PlayerEvent, Schedule } from '@tunemate/playback';
import { commanded, looked, stateTold, untouched, type FrameLook, type Touch, type TouchState } from './frame-touch.ts';
import { standsStill, watchProgress } from '../players/still-clock.ts';

const playing = 1;
/** Shorter than a pause must be to count as one. */
const lookEveryMs = 250;

export interface FrameWatchPorts {
  readonly schedule: Schedule;
  readonly nowMs: () => number;
  /** Null while there is nothing to read. */
  readonly read: () => Omit<FrameLook, 'nowMs'> | null;
  readonly emit: (event: PlayerEvent) => void;
}

/** What a person did, as an event of a player. */
const eventOf = (touch: Touch): PlayerEvent => (touch.type === 'paused' ? { type: 'held' } : touch);

export class FrameWatch {
  readonly #ports: FrameWatchPorts;
  #state: TouchState = untouched;
  #progress: ReturnType<typeof watchProgress> | null = null;
  #isStill = false;
  #cancel: (() => void) | null = null;

  constructor(ports: FrameWatchPorts) {
    this.#ports = ports;
  }

  /** It stands still, and whether a person paused it is not known yet. */
  get isStanding(): boolean {
    return this.#state.stoodAtMs !== null;
  }

  /** It says that it plays, and its clock does not move: an advert. */
  get isStill(): boolean {
    return this.#isStill;
  }

  commanded(command: Parameters<typeof commanded>[1], frameState: number): void {
    this.#state = commanded(this.#state, command, frameState, this.#ports.nowMs());
    if (command !== 'seek') this.#watchProgress(null);
  }

  told(frameState: number): void {
    this.#judge(stateTold(this.#state, frameState, this.#ports.nowMs()));
    if (frameState !== playing) this.#watchProgress(null);
    if (this.#cancel === null) this.#lookLater();
  }

  end(): void {
    this.#cancel?.();
  }

  #lookLater(): void {
    this.#cancel = this.#ports.schedule(() => {
      this.#lookLater();
      const look = this.#ports.read();
      if (look !== null) this.#judge(looked(this.#state, { ...look, nowMs: this.#ports.nowMs() }));
      this.#watchProgress(look?.state === playing ? look.positionSeconds : null);
    }, lookEveryMs);
  }

  /** Null while there is nothing that should get on. */
  #watchProgress(seconds: number | null): void {
    const nowMs = this.#ports.nowMs();
    this.#progress = seconds === null ? null : watchProgress(this.#progress, seconds, nowMs);
    const isStill = standsStill(this.#progress, nowMs);
    if (isStill === this.#isStill) return;
    this.#isStill = isStill;
    this.#ports.emit({ type: 'changed' });
  }

  #judge({ state, touch }: ReturnType<typeof looked>): void {
    this.#state = state;
    if (touch !== null) this.#ports.emit(eventOf(touch));
  }
}
