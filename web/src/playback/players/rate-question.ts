/**
 * Asks YouTube's frame once whether it plays at a rate beside its steps, while a cued video is silent, and reads the
 * answer: versions of the frame differ, and none says so before.
 */
import {
  nearRate,
  type PlayerCapabilities,
  type Schedule,
  withNearRates,
  youtubeCapabilities,
} from '@tunemate/playback';

/** A frame that did not take the rate says nothing. */
const patienceMs = 500;

export class RateQuestion {
  readonly #schedule: Schedule;
  readonly #setRate: (rate: number) => void;
  #isAnswered = false;
  #isAsking = false;
  #found: PlayerCapabilities | null = null;
  #cancel = (): void => undefined;

  /** `setRate` tells the frame. */
  constructor(schedule: Schedule, setRate: (rate: number) => void) {
    this.#schedule = schedule;
    this.#setRate = setRate;
  }

  get found(): PlayerCapabilities | null {
    return this.#found;
  }

  ask(): void {
    if (this.#isAnswered || this.#isAsking) return;
    this.#isAsking = true;
    this.#setRate(nearRate);
    this.#cancel = this.#schedule(() => this.#answer(false), patienceMs);
  }

  /** The frame reports a rate. */
  told(rate: number): void {
    if (this.#isAsking) this.#answer(rate === nearRate);
  }

  /** The frame has other things to do: it is asked again another time. */
  leave(): void {
    this.#cancel();
    this.#isAsking = false;
  }

  #answer(isTaken: boolean): void {
    this.leave();
    this.#isAnswered = true;
    if (isTaken) this.#found = withNearRates(youtubeCapabilities);
    this.#setRate(1);
  }
}
