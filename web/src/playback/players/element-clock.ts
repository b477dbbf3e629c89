/**
 * Position and rate of one media element, through a MediaClock: looks at the playing element often enough to learn
 * whether its position moves in steps, and sets the rates that follow from that.
 */
import { type BrowserClock, clockLooksMs, MediaClock } from '@tunemate/playback';

/** After these events the earlier steps of a position tell nothing about the next ones. */
const clockBreaks = ['playing', 'pause', 'waiting', 'seeking', 'seeked', 'emptied'] as const;

export class ElementClock {
  readonly #element: HTMLMediaElement;
  readonly #clock: MediaClock;
  #looks = 0;
  #nextLook: ReturnType<typeof setTimeout> | undefined;

  /** Observes the element until the signal aborts. */
  constructor(element: HTMLMediaElement, browser: BrowserClock, signal: AbortSignal) {
    this.#element = element;
    this.#clock = new MediaClock(browser);
    for (const name of clockBreaks) element.addEventListener(name, () => this.#clock.reset(), { signal });
    const onRate = (): void => this.#clock.changeRate(performance.now(), element.playbackRate);
    element.addEventListener('ratechange', onRate, { signal });
    element.addEventListener('playing', () => this.#watch(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#nextLook));
  }

  position(): number {
    const { currentTime, paused, seeking } = this.#element;
    if (paused || seeking) return currentTime;
    const nowMs = performance.now();
    this.#clock.look(nowMs, currentTime);
    return this.#clock.positionAt(nowMs, currentTime);
  }

  /** Whether the position of the playing element is known exactly; one that stands still is always read exactly. */
  isExact(): boolean {
    return this.#element.paused || this.#clock.isExact;
  }

  rate(): number {
    return this.#clock.reportedRate(this.#element.playbackRate);
  }

  setRate(rate: number): void {
    this.#element.playbackRate = this.#clock.rateFor(rate);
  }

  /** Loading a file resets the rate to the default one, so that is set first. */
  restFromLoad(): void {
    this.#element.defaultPlaybackRate = this.#clock.rateFor(1);
  }

  /** Looks at a playing element often, for as long as that tells anything. */
  #watch(): void {
    clearTimeout(this.#nextLook);
    if (this.#element.paused) return;
    this.position();
    if (!this.#clock.wantsLooks) return this.#leaveRestingRate();
    const delayMs = clockLooksMs[this.#looks % clockLooksMs.length];
    this.#looks += 1;
    this.#nextLook = setTimeout(() => this.#watch(), delayMs);
  }

  /** A smooth clock's element rests at exactly 1, as the clock knows by now. */
  #leaveRestingRate(): void {
    this.#element.defaultPlaybackRate = 1;
    if (this.rate() === 1) this.#element.playbackRate = 1;
  }
}
