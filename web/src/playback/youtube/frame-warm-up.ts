/**
 * Lets a video that YouTube's frame has just cued start once without a sound, and takes it back to its place. A cued
 * video has no data yet, so its first start takes up to two seconds, different for everybody; one after this does not.
 */
import { resumeAfterCueMs, type Schedule } from '@tunemate/playback';
import { youtubeState } from './youtube-frame.ts';

/** A frame that has not started by then (an advert, a consent, a refusal) is ready without having been warm. */
const patienceMs = 2500;

/** What is asked of the frame. */
interface WarmFrame {
  /** As the person has set it, but without a sound while this is running. */
  setLoudness(): void;
  play(): void;
  pause(): void;
  goBack(): void;
}

export class FrameWarmUp {
  readonly #schedule: Schedule;
  readonly #frame: WarmFrame;
  readonly #onReady: () => void;
  /** The video that did not start: a cue of it that follows is not warmed up once more, or it would never be ready in time. */
  #coldKey: string | null = null;
  #isRunning = false;
  #hasPlayed = false;
  #isBack = false;
  #isPast = false;
  #cancels: (() => void)[] = [];

  constructor(schedule: Schedule, frame: WarmFrame, onReady: () => void) {
    this.#schedule = schedule;
    this.#frame = frame;
    this.#onReady = onReady;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The video is cued. Where `mayStart` is false it only waits for as long as a cued video needs at least. */
  begin(trackKey: string, mayStart: boolean): void {
    this.leave();
    this.#isRunning = true;
    const isStarted = mayStart && trackKey !== this.#coldKey;
    this.#coldKey = isStarted ? trackKey : this.#coldKey;
    [this.#hasPlayed, this.#isBack, this.#isPast] = [false, !isStarted, false];
    this.#cancels = [
      this.#schedule(() => {
        this.#isPast = true;
        this.#endIfOver();
      }, resumeAfterCueMs),
      this.#schedule(() => this.#end(), patienceMs),
    ];
    if (!isStarted) return;
    this.#frame.setLoudness();
    this.#frame.play();
  }

  /** The frame tells a state. */
  told(state: number): void {
    if (!this.#isRunning || this.#isBack) return;
    if (state === youtubeState.playing && !this.#hasPlayed) {
      this.#hasPlayed = true;
      this.#frame.pause();
      this.#frame.goBack();
    }
    this.#isBack = state === youtubeState.paused && this.#hasPlayed;
    if (this.#isBack) this.#coldKey = null;
    this.#endIfOver();
  }

  /** Something else is wanted of the frame. */
  leave(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    for (const cancel of this.#cancels) cancel();
    this.#frame.setLoudness();
  }

  #endIfOver(): void {
    if (this.#isPast && this.#isBack) this.#end();
  }

  #end(): void {
    if (!this.#isBack) this.#frame.pause();
    this.leave();
    this.#onReady();
  }
}
