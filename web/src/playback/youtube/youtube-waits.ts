/** What is waited for at YouTube's frame, and how long. What happens when a wait is over is the player's decision. */
import type { Schedule } from '@tunemate/playback';

/** A start that shows no effect for this long was refused by the browser; some frames do not report that themselves. */
const blockedAfterMs = 4000;
/** A frame that is not there, or has not cued its video, after this long was blocked by the network or a filter. */
const answerTimeoutMs = 10_000;

/** One timer: beginning it again replaces what it was waiting for. */
class Wait {
  readonly #schedule: Schedule;
  readonly #delayMs: number;
  #cancel = (): void => undefined;

  constructor(schedule: Schedule, delayMs: number) {
    this.#schedule = schedule;
    this.#delayMs = delayMs;
  }

  begin(onOver: () => void): void {
    this.#cancel();
    this.#cancel = this.#schedule(onOver, this.#delayMs);
  }

  end(): void {
    this.#cancel();
  }
}

export class YouTubeWaits {
  /** For the frame, and then for each cue to be carried out. */
  readonly answer: Wait;
  /** For a start to show an effect. */
  readonly start: Wait;

  constructor(schedule: Schedule) {
    this.answer = new Wait(schedule, answerTimeoutMs);
    this.start = new Wait(schedule, blockedAfterMs);
  }

  end(): void {
    for (const wait of [this.answer, this.start]) wait.end();
  }
}
