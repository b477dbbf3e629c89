/**
 * The position of a media element, corrected to where the sound is. In some browsers `currentTime` moves in steps of
 * about 40 ms: there only the newest step is exact, and the position is extrapolated from the steps seen. Stepping is
 * measured, never guessed from the browser's name. Such browsers also drop a little sound each time the rate returns to
 * exactly 1, so their elements rest at a rate close to 1.
 */

/** `unknown` until enough readings of a playing element were taken. */
type ClockKind = 'unknown' | 'smooth' | 'stepped';

interface Look {
  readonly atMs: number;
  readonly seconds: number;
}
/** A step: the position changed to `seconds` after `afterMs`, at the latest at `seenMs`. */
interface Step {
  readonly seconds: number;
  readonly afterMs: number;
  readonly seenMs: number;
}

/**
 * Intervals between looks at an element of unknown or stepped clock, in ms; uneven, so that looks never align with the
 * steps.
 */
export const clockLooksMs = [5, 8, 6, 9, 7] as const;
/** The resting rate of a stepped clock's player: too close to 1 to be heard (0.2 cents, 6 ms a minute). */
const restingRate = 1.0001;
/** Looks further apart than this cannot show steps. */
const longestGapMs = 20;
const looksToJudge = 40;
/** A clock with 40 ms steps stands still in more than eight of ten such looks, a smooth one in none. */
const stillShare = 0.5;
const keptSteps = 9;
/** This many steps give the position to within a few milliseconds. */
const stepsForExactness = 3;
/** A clock that stood still for this long has stopped: nothing to extrapolate. */
const stoppedMs = 300;
/** Measured in Firefox: a rate shows 160 to 200 ms after it was set. */
const rateLagMs = 180;

/** The clock kind of this browser's elements, shared by all of them and determined once. */
export class BrowserClock {
  #kind: ClockKind = 'unknown';
  #looks = 0;
  #stillLooks = 0;

  get kind(): ClockKind {
    return this.#kind;
  }

  /** Takes whether a playing element stood still since the previous look. */
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
  /** Rate `before` applies until `changeMs`, rate `after` from then on. */
  #rates = { before: 1, after: 1, changeMs: Number.NEGATIVE_INFINITY };

  constructor(browser: BrowserClock) {
    this.#browser = browser;
  }

  get kind(): ClockKind {
    return this.#browser.kind;
  }

  /** Whether the position is exact: by a smooth clock, or by enough steps since the last reset. */
  get isExact(): boolean {
    return this.kind === 'smooth' || (this.kind === 'stepped' && this.#steps.length >= stepsForExactness);
  }

  /** Whether frequent looks are useful. */
  get wantsLooks(): boolean {
    return this.kind !== 'smooth';
  }

  /**
   * The element's rate for a wanted one. Until its clock proves smooth, an element rests close to 1 instead of at 1.
   */
  rateFor(wanted: number): number {
    return wanted === 1 && this.kind !== 'smooth' ? restingRate : wanted;
  }

  reportedRate(own: number): number {
    return own === restingRate ? 1 : own;
  }

  look(atMs: number, seconds: number): void {
    const last = this.#last;
    this.#last = { atMs, seconds };
    if (last === null) return;
    const isStill = seconds === last.seconds;
    if (!isStill) this.#steps = [...this.#steps, { seconds, afterMs: last.atMs, seenMs: atMs }].slice(-keptSteps);
    if (this.#hasMoved && atMs - last.atMs <= longestGapMs) this.#browser.see(isStill);
    this.#hasMoved ||= !isStill;
  }

  changeRate(atMs: number, rate: number): void {
    const { after } = this.#rates;
    if (rate !== after) this.#rates = { before: after, after: rate, changeMs: atMs + rateLagMs };
  }

  /** After a seek, a pause or a load: earlier steps no longer apply. */
  reset(): void {
    this.#rates = { ...this.#rates, changeMs: Number.NEGATIVE_INFINITY };
    this.#last = null;
    this.#steps = [];
    this.#hasMoved = false;
  }

  /** The exact position of a playing element that reports `seconds`. */
  positionAt(atMs: number, seconds: number): number {
    const newest = this.#steps.at(-1);
    if (this.kind !== 'stepped' || newest === undefined || atMs - newest.seenMs > stoppedMs) return seconds;
    // Every step gives a lower and an upper bound; together they are close.
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
