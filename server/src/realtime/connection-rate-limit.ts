/** A token bucket in memory: `burst` at once, then `perSecond`, by the process's own clock. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs = performance.now();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** False, taking nothing, when there are fewer than `count` tokens. A negative count returns tokens. */
  take(count = 1): boolean {
    const nowMs = performance.now();
    const refilled = ((nowMs - this.#atMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + refilled);
    this.#atMs = nowMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}

/** Requests of one connection: 20 a second, bursts of 60; a client far beyond that is disconnected. */
const perSecond = 20;
const burst = 60;
const refusalsToClose = 200;

export class ConnectionRateLimit {
  readonly #isLifted: boolean;
  readonly #bucket: TokenBucket;
  #refused = 0;

  constructor(scale: number) {
    this.#isLifted = scale === 0;
    this.#bucket = new TokenBucket(perSecond * scale, burst * scale);
  }

  take(): 'pass' | 'refuse' | 'close' {
    if (this.#isLifted) return 'pass';
    if (this.#bucket.take()) {
      this.#refused = 0;
      return 'pass';
    }
    this.#refused += 1;
    return this.#refused > refusalsToClose ? 'close' : 'refuse';
  }
}
