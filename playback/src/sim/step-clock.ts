/** A simulated clock that moves in steps, read as by a page: every few milliseconds, a little late each time. */
import { BrowserClock, clockLooksMs, MediaClock } from '../clock/media-clock.ts';
import type { SimRandom } from './random.ts';

/** The clock keeps no looks from before this. */
const rememberedLooksMs = 600;

export class SimStepClock extends MediaClock {
  readonly #stepSeconds: number;
  readonly #random: SimRandom;
  readonly #exactSeconds: (atMs: number) => number;
  #lookedAtMs = 0;

  /** `exactSeconds` is the position on a clock without steps. */
  constructor(stepMs: number, random: SimRandom, exactSeconds: (atMs: number) => number) {
    super(new BrowserClock());
    this.#stepSeconds = stepMs / 1000;
    this.#random = random;
    this.#exactSeconds = exactSeconds;
  }

  /** The position as a page that has looked since `fromMs` knows it. */
  read(fromMs: number, nowMs: number): number {
    let atMs = Math.max(this.#lookedAtMs, fromMs, nowMs - rememberedLooksMs);
    for (let count = 0; atMs < nowMs; count += 1) {
      this.look(atMs, this.#step(atMs));
      atMs += (clockLooksMs[count % clockLooksMs.length] ?? 7) + this.#random.exponential(1.5);
    }
    this.look(nowMs, this.#step(nowMs));
    this.#lookedAtMs = nowMs;
    return this.positionAt(nowMs, this.#step(nowMs));
  }

  #step(atMs: number): number {
    return Math.floor(this.#exactSeconds(atMs) / this.#stepSeconds) * this.#stepSeconds;
  }
}
