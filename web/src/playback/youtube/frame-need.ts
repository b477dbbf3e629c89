/**
 * Whether YouTube's frame needs a person: it was asked to play and has not played for a while. Then it shows an advert
 * that can be skipped, asks for consent or for a sign of life, or waits for a tap. Knows no reasons.
 */
import type { Schedule } from '@tunemate/playback';

/** Longer than a start or a wait for data usually takes. */
const neededAfterMs = 4000;

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
