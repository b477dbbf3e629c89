/**
 * What the stand-in for YouTube is made of beside its commands: delays that differ each time, and a clock that is reported
 * to the page now and then. The classes are sent to the page as text, so they use nothing of this module.
 */

/** What takes time, each from the least to the most milliseconds. Starts are those of a cued video, without any data yet. */
type Delay = 'ready' | 'message' | 'cue' | 'start' | 'resume' | 'seek' | 'rate' | 'reported';

/** Draws delays from a seed: the same seed gives the same delays. */
export class FakeDelays {
  readonly #ranges: Readonly<Record<Delay, readonly [number, number]>> = {
    ready: [150, 500],
    message: [8, 50],
    cue: [150, 700],
    start: [300, 2000],
    resume: [100, 350],
    seek: [80, 350],
    rate: [30, 90],
    reported: [200, 300],
  };
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1 + 0x7f4a7c15) >>> 0;
  }

  between(low: number, high: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return low + (high - low) * (this.#state / 2 ** 32);
  }

  of(delay: Delay): number {
    const [least, most] = this.#ranges[delay];
    return this.between(least, most);
  }
}

/**
 * Where the video is, and where the page believes it to be: the position of the last message, and the time since then
 * by the device's wall clock, but at most a second of it.
 */
export class FakeClock {
  readonly #delays: FakeDelays;
  #anchor = { positionSeconds: 0, atMs: 0 };
  #rate = 1;
  #isMoving = false;
  #reported: { positionSeconds: number; atWallMs: number; isMoving: boolean; rate: number } | null = null;

  constructor(delays: FakeDelays) {
    this.#delays = delays;
  }

  get position(): number {
    const elapsedMs = this.#isMoving ? performance.now() - this.#anchor.atMs : 0;
    return this.#anchor.positionSeconds + (elapsedMs / 1000) * this.#rate;
  }
  get rate(): number {
    return this.#rate;
  }
  /** The rate that the page knows; undefined after a cue, until the next message. */
  get reportedRate(): number | undefined {
    return this.#reported === null ? undefined : this.#reported.rate;
  }
  get hasReported(): boolean {
    return this.#reported !== null;
  }

  move(positionSeconds: number): void {
    this.#anchor = { positionSeconds, atMs: performance.now() };
  }
  run(isMoving: boolean): void {
    this.move(this.position);
    this.#isMoving = isMoving;
  }
  setRate(rate: number): void {
    this.move(this.position);
    this.#rate = rate;
  }

  /** A message, whose position is a little older or newer than its stamp. `isPlaying` is what it says. */
  tell(isPlaying: boolean): void {
    const errorSeconds = this.#isMoving ? this.#delays.between(-0.02, 0.02) : 0;
    this.#reported = {
      positionSeconds: Math.max(0, this.position + errorSeconds),
      atWallMs: Date.now(),
      isMoving: isPlaying,
      rate: this.#rate,
    };
  }
  /** A cue: the page knows nothing until the next message. */
  forget(): void {
    this.#reported = null;
  }
  reportedPosition(): number | undefined {
    if (this.#reported === null) return undefined;
    const { positionSeconds, atWallMs, isMoving, rate } = this.#reported;
    const sinceSeconds = isMoving ? Math.min(1, Math.max(0, (Date.now() - atWallMs) / 1000)) : 0;
    return positionSeconds + sinceSeconds * rate;
  }
}
