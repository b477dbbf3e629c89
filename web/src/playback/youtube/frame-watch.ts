/**
 * Watches YouTube's frame while it has a video: what people do in it, whether its clock stands still, whether it needs a
 * person, and how long the video is. The frame reports states and numbers, never reasons.
 */
import type { PlayerEvent, PlayerSnapshot, Schedule } from '@tunemate/playback';
import { commanded, type FrameLook, looked, stateTold, type Touch, type TouchState, untouched } from './frame-touch.ts';

const playing = 1;
/** Shorter than a pause must be to count as one. */
const lookEveryMs = 250;

interface FrameWatchPorts {
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

// The video's clock stands still during an advert, while the frame says that it plays. What the frame says between two
// messages is guessed from the last one, up to a second further.

interface Progress {
  /** Where the clock was when it last got on, and when that was. */
  readonly seconds: number;
  readonly atMs: number;
  /** How often it was looked at since then. */
  readonly looks: number;
}

/** A clock that stands still shows as much from one message to the next. */
const noiseSeconds = 0.3;
/** Behind the furthest place by more than a guess: it was moved. */
const movedBackSeconds = 1.2;
const stillAfterMs = 1000;
/** A page that did not run for a while has seen nothing. */
const looksToJudge = 3;

export function watchProgress(before: Progress | null, seconds: number, nowMs: number): Progress {
  const hasMoved =
    before === null || seconds > before.seconds + noiseSeconds || seconds < before.seconds - movedBackSeconds;
  return hasMoved ? { seconds, atMs: nowMs, looks: 0 } : { ...before, looks: before.looks + 1 };
}

export function standsStill(progress: Progress | null, nowMs: number): boolean {
  return progress !== null && progress.looks >= looksToJudge && nowMs - progress.atMs >= stillAfterMs;
}

/** Longer than a start or a wait for data usually takes. */
const neededAfterMs = 4000;

/** Notices that the frame needs a person: it should play and does not, as with an advert, a consent form or a needed tap. */
export class FrameNeed {
  readonly #schedule: Schedule;
  readonly #onNeed: (isNeeded: boolean) => void;
  #isWaiting = false;
  #isNeeded = false;
  #cancel = (): void => undefined;

  constructor(schedule: Schedule, onNeed: (isNeeded: boolean) => void) {
    this.#schedule = schedule;
    this.#onNeed = onNeed;
  }

  /** `isWaiting`: it should play, and does not. */
  note(isWaiting: boolean): void {
    if (isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    this.#cancel();
    if (isWaiting) this.#cancel = this.#schedule(() => this.#tell(true), neededAfterMs);
    else this.#tell(false);
  }

  #tell(isNeeded: boolean): void {
    if (isNeeded === this.#isNeeded) return;
    this.#isNeeded = isNeeded;
    this.#onNeed(isNeeded);
  }
}

// How long the video is. YouTube gives a live stream as long as it has been going on; a length that keeps growing is none.

/** Less is rounding. */
const growthSeconds = 0.2;
/** A length is corrected once when the video's data come; a live stream's grows on. */
const liveAfterGrowths = 3;
const settledAfterMs = 1500;

type Length = Required<Pick<PlayerSnapshot, 'durationSeconds' | 'liveEdgeSeconds'>>;

export const unknownLength: Length = { durationSeconds: null, liveEdgeSeconds: null };

/** Of one video. */
export class VideoLength {
  /** As last told; 0 while nothing was. */
  #seconds = 0;
  #sinceMs = 0;
  /** How often it has grown. */
  #growths = 0;

  /** The player's word; `isSaidLive` where it gives one. No length for a live stream, and none until it has stood still for a while. */
  told(seconds: number, isSaidLive: boolean | undefined, nowMs: number): Length {
    this.#watch(seconds, nowMs);
    if (isSaidLive === true || this.#growths >= liveAfterGrowths)
      return { durationSeconds: null, liveEdgeSeconds: seconds };
    const isSettled = isSaidLive === false || nowMs - this.#sinceMs >= settledAfterMs;
    return { durationSeconds: this.#seconds > 0 && isSettled ? this.#seconds : null, liveEdgeSeconds: null };
  }

  #watch(seconds: number, nowMs: number): void {
    if (Math.abs(seconds - this.#seconds) < growthSeconds) return;
    const isGrowth = this.#seconds > 0 && seconds > this.#seconds;
    [this.#seconds, this.#sinceMs, this.#growths] = [seconds, nowMs, isGrowth ? this.#growths + 1 : 0];
  }
}
