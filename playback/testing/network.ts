/**
 * One listener's connection: delay, jitter, loss and reordering, each way. Reliable messages arrive late instead of
 * never, as over TCP; others are lost. While offline nothing passes.
 */
import type { SimRandom } from './random.ts';
import type { SimTime } from './time.ts';

/** Milliseconds, one way. */
export interface LineQuality {
  readonly upMs: number;
  readonly downMs: number;
  readonly jitterMs: number;
  readonly lossShare: number;
}

const retransmissionMs = 250;

export class SimLine {
  isOffline = false;
  readonly #time: SimTime;
  readonly #random: SimRandom;
  readonly quality: LineQuality;

  constructor(time: SimTime, random: SimRandom, quality: LineQuality) {
    this.#time = time;
    this.#random = random;
    this.quality = quality;
  }

  up(isReliable: boolean, deliver: () => void): void {
    this.#carry(this.quality.upMs, isReliable, deliver);
  }

  down(isReliable: boolean, deliver: () => void): void {
    this.#carry(this.quality.downMs, isReliable, deliver);
  }

  #carry(baseMs: number, isReliable: boolean, deliver: () => void): void {
    if (this.isOffline) return;
    const isLost = this.#random.chance(this.quality.lossShare);
    if (isLost && !isReliable) return;
    const delayMs = baseMs + this.#random.exponential(this.quality.jitterMs) + (isLost ? retransmissionMs : 0);
    this.#time.after(delayMs, () => {
      if (!this.isOffline) deliver();
    });
  }
}

/** A typical connection: a few to a hundred milliseconds, nearly the same both ways, some jitter, little loss. */
export function someLine(random: SimRandom): LineQuality {
  const oneWayMs = 3 + random.exponential(25);
  return {
    upMs: oneWayMs,
    downMs: oneWayMs + random.between(-2, 2),
    jitterMs: random.between(1, 12),
    lossShare: random.between(0, 0.03),
  };
}
