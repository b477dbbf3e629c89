/**
 * Observes YouTube's frame while it has a video: a person's actions in it, whether its clock stands still, whether it
 * needs a person, and the length of the video. The frame reports states and numbers, never reasons.
 */
import type { PlayerEvent, PlayerSnapshot, Schedule } from '@tunemate/playback';
import { commanded, type FrameLook, looked, stateReported, type TouchState, untouched } from './frame-touch.ts';
import { youtubeState } from './youtube-frame.ts';

/** Shorter than a pause must be to count as one. */
const lookEveryMs = 250;

interface FrameWatchPorts {
  readonly schedule: Schedule;
  readonly nowMs: () => number;
  /** Null while there is nothing to read. */
  readonly read: () => Omit<FrameLook, 'nowMs'> | null;
  readonly emit: (event: PlayerEvent) => void;
}

export class FrameWatch {
  readonly #ports: FrameWatchPorts;
  #state: TouchState = untouched;
  #progress: ReturnType<typeof watchProgress> | null = null;
  #isStill = false;
  #cancel: (() => void) | null = null;

  constructor(ports: FrameWatchPorts) {
    this.#ports = ports;
  }

  /** It is paused, and not yet known whether by a person. */
  get isStanding(): boolean {
    return this.#state.stoodAtMs !== null;
  }

  /** It reports that it plays, but its clock stands still: an advert. */
  get isStill(): boolean {
    return this.#isStill;
  }

  commanded(command: Parameters<typeof commanded>[1], frameState: number): void {
    this.#state = commanded(this.#state, command, frameState, this.#ports.nowMs());
    if (command !== 'seek') this.#watchProgress(null);
  }

  onState(frameState: number): void {
    this.#judge(stateReported(this.#state, frameState, this.#ports.nowMs()));
    if (frameState !== youtubeState.playing) this.#watchProgress(null);
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
      this.#watchProgress(look?.state === youtubeState.playing ? look.positionSeconds : null);
    }, lookEveryMs);
  }

  /** Null while the position should not advance. */
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
    if (touch !== null) this.#ports.emit(touch.type === 'paused' ? { type: 'held' } : touch);
  }
}

// The video's clock stands still during an advert, while the frame reports that it plays. Between two messages the
// frame extrapolates the position, by up to a second.

interface Progress {
  /** The position when it last advanced, and when that was. */
  readonly seconds: number;
  readonly atMs: number;
  /** Looks since then. */
  readonly looks: number;
}

/** A clock that stands still varies by this much between messages. */
const noiseSeconds = 0.3;
/** A jump back by more than the extrapolation is a seek. */
const movedBackSeconds = 1.2;
const stillAfterMs = 1000;
/** A page that did not run for a while has too few looks. */
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

/**
 * Detects that the frame needs a person: it should play and does not, because of an advert, a consent form or a needed
 * tap.
 */
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
    if (isWaiting) this.#cancel = this.#schedule(() => this.#setNeeded(true), neededAfterMs);
    else this.#setNeeded(false);
  }

  #setNeeded(isNeeded: boolean): void {
    if (isNeeded === this.#isNeeded) return;
    this.#isNeeded = isNeeded;
    this.#onNeed(isNeeded);
  }
}

// The length. YouTube reports the elapsed time of a live stream as its length; a length that keeps growing is none.

/** A smaller change is rounding. */
const growthSeconds = 0.2;
/** A length is corrected once when the video's data arrive; a live stream's keeps growing. */
const liveAfterGrowths = 3;
const settledAfterMs = 1500;

type Length = Required<Pick<PlayerSnapshot, 'durationSeconds' | 'liveEdgeSeconds'>>;

export const unknownLength: Length = { durationSeconds: null, liveEdgeSeconds: null };

/** For one video. */
export class VideoLength {
  /** The last reported length; 0 before the first. */
  #seconds = 0;
  #sinceMs = 0;
  #growths = 0;

  /**
   * `isReportedLive` where the frame reports it. No length for a live stream, or before it has been stable for a while.
   */
  update(seconds: number, isReportedLive: boolean | undefined, nowMs: number): Length {
    this.#watch(seconds, nowMs);
    if (isReportedLive === true || this.#growths >= liveAfterGrowths)
      return { durationSeconds: null, liveEdgeSeconds: seconds };
    const isSettled = isReportedLive === false || nowMs - this.#sinceMs >= settledAfterMs;
    return { durationSeconds: this.#seconds > 0 && isSettled ? this.#seconds : null, liveEdgeSeconds: null };
  }

  #watch(seconds: number, nowMs: number): void {
    if (Math.abs(seconds - this.#seconds) < growthSeconds) return;
    const isGrowth = this.#seconds > 0 && seconds > this.#seconds;
    [this.#seconds, this.#sinceMs, this.#growths] = [seconds, nowMs, isGrowth ? this.#growths + 1 : 0];
  }
}
