/** How fast one connection may speak: 20 messages a second, bursts of 60; who keeps on far beyond that is cut off (B93). */
const perSecond = 20;
const burst = 60;
const refusalsToClose = 200;

export class Pace {
  readonly #scale: number;
  #tokens: number;
  #atMs = performance.now();
  #refused = 0;

  constructor(scale: number) {
    this.#scale = scale;
    this.#tokens = burst * scale;
  }

  take(): 'pass' | 'refuse' | 'close' {
    if (this.#scale === 0) return 'pass';
    const nowMs = performance.now();
    const refilled = ((nowMs - this.#atMs) / 1000) * perSecond * this.#scale;
    this.#tokens = Math.min(burst * this.#scale, this.#tokens + refilled);
    this.#atMs = nowMs;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      this.#refused = 0;
      return 'pass';
    }
    this.#refused += 1;
    return this.#refused > refusalsToClose ? 'close' : 'refuse';
  }
}
