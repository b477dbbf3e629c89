/**
 * The position of a media element, read so that it is where the sound is. Some browsers move `currentTime` in steps of
 * about 40 ms: there only the newest step is true, so the position goes on from the steps that were seen. Whether a
 * clock moves in steps is observed, never guessed from the browser's name. Such browsers also drop a little sound each
 * time the rate returns to exactly 1, so they rest beside it.
 */

/** `unknown` until enough was seen of a playing element. */
type ClockKind = 'unknown' | 'smooth' | 'stepped';

/** One reading of an element. */
interface Look {
  readonly atMs: number;
  readonly seconds: number;
}
/** A step: not there yet at one look, and there at the next. */
interface Step {
  readonly seconds: number;
  readonly afterMs: number;
  readonly seenMs: number;
}

/** How long after one another an element of unknown or stepped clock should be looked at; uneven, so that looks never keep pace with the steps. */
export const clockLooksMs = [5, 8, 6, 9, 7] as const;
/** The rate at which a stepped clock's player rests: too near to 1 to be heard (0.2 cents, 6 ms a minute). */
const restingRate = 1.0001;
/** Looks further apart than this tell nothing about steps. */
const longestGapMs = 20;
const looksToJudge = 40;
/** A clock of 40 ms steps stands still in more than eight of ten such looks, a smooth one in none. */
const stillShare = 0.5;
const keptSteps = 9;
/** With so few steps the position is already known to a few milliseconds. */
const stepsForExactness = 3;
/** A clock that stood still for this long has stopped: there is nothing to go on from. */
const stoppedMs = 300;
/** Measured in Firefox: a rate shows 160 to 200 ms after it was set. */
const rateLagMs = 180;

/** What the clocks of this browser's elements are like: found out once, by those that play first. */
export class BrowserClock {
  #kind: ClockKind = 'unknown';
  #looks = 0;
  #stillLooks = 0;

  get kind(): ClockKind {
    return this.#kind;
  }

  /** Takes in whether a playing element stood still since the look before. */
  see(isStill: boolean): void {
    if (this.#kind !== 'unknown') return;
    this.#looks += 1;
    if (isStill) this.#stillLooks += 1;
    if (this.#looks < looksToJudge) return;
    this.#kind = this.#stillLooks >= this.#looks * stillShare ? 'stepped' : 'smooth';
  }
}

/** Watches one element. Times are local monotonic milliseconds. */
export class MediaClock {
  readonly #browser: BrowserClock;
  #last: Look | null = null;
  #steps: readonly Step[] = [];
  #hasMoved = false;
  /** Until `changeMs` the element ran at the one rate, from then on at the other. */
  #rates = { before: 1, after: 1, changeMs: Number.NEGATIVE_INFINITY };

  constructor(browser: BrowserClock) {
    this.#browser = browser;
  }

  get kind(): ClockKind {
    return this.#browser.kind;
  }

  /** Whether the position is known exactly: by a smooth clock, or by enough steps since the last break. */
  get isExact(): boolean {
    return this.kind === 'smooth' || (this.kind === 'stepped' && this.#steps.length >= stepsForExactness);
  }

  /** Whether anything is learned from looking often. */
  get wantsLooks(): boolean {
    return this.kind !== 'smooth';
  }

  /** The element's rate for a wanted one. An element that may turn out to be stepped rests beside 1 from its first start. */
  rateFor(wanted: number): number {
    return wanted === 1 && this.kind !== 'smooth' ? restingRate : wanted;
  }

  /** The rate to report for the element's own. */
  reportedRate(own: number): number {
    return own === restingRate ? 1 : own;
  }

  /** Takes in one reading of a playing element. */
  look(atMs: number, seconds: number): void {
    const last = this.#last;
    this.#last = { atMs, seconds };
    if (last === null) return;
    const isStill = seconds === last.seconds;
    if (!isStill) this.#steps = [...this.#steps, { seconds, afterMs: last.atMs, seenMs: atMs }].slice(-keptSteps);
    if (this.#hasMoved && atMs - last.atMs <= longestGapMs) this.#browser.see(isStill);
    this.#hasMoved ||= !isStill;
  }

  /** The element was given a rate just now. */
  changeRate(atMs: number, rate: number): void {
    const { after } = this.#rates;
    if (rate !== after) this.#rates = { before: after, after: rate, changeMs: atMs + rateLagMs };
  }

  /** The element was sought, paused or loaded: earlier steps tell nothing any more. */
  reset(): void {
    this.#rates = { ...this.#rates, changeMs: Number.NEGATIVE_INFINITY };
    this.#last = null;
    this.#steps = [];
    this.#hasMoved = false;
  }

  /** Where a playing element is that says `seconds`. */
  positionAt(atMs: number, seconds: number): number {
    const newest = this.#steps.at(-1);
    if (this.kind !== 'stepped' || newest === undefined || atMs - newest.seenMs > stoppedMs) return seconds;
    // Every step says where the element is at least and at most; together they say it closely.
    const wentOn = (seconds: number, fromMs: number): number => seconds + this.#ranSeconds(fromMs, atMs);
    const least = Math.max(...this.#steps.map((step) => wentOn(step.seconds, step.seenMs)));
    const most = Math.min(...this.#steps.map((step) => wentOn(step.seconds, step.afterMs)));
    return most > least ? (least + most) / 2 : least;
  }

  #ranSeconds(fromMs: number, untilMs: number): number {
    const { before, after, changeMs } = this.#rates;
    const changedMs = Math.min(untilMs, Math.max(fromMs, changeMs));
    return (before * (changedMs - fromMs) + after * (untilMs - changedMs)) / 1000;
  }
}
