/**
 * Estimates server time from request-and-answer probes, on the local monotonic clock (`performance.now()`).
 * The server's stamp lies between sending and receiving, so each probe bounds the offset from both sides; the
 * estimate is the middle of what all recent bounds have in common. A probe that queued anywhere has loose bounds and
 * so never moves it: the least delay in each direction decides, which also trusts the least round trip.
 * Knows no socket, no timer, and no wall clock: a device clock that is hours off cannot matter.
 */
import { clockSkewPerMs, clockSlewPerMs, clockStepMs, clockSureEnoughMs, clockWindowMs } from '../timings.ts';

/** One answered probe. Local times are monotonic milliseconds, server times milliseconds since the epoch. */
export interface ClockSample {
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  /** The server's stamp, taken on arrival of the probe. */
  readonly serverReceivedMs: number;
  /** Taken just before answering; the same as on arrival unless the server says otherwise. */
  readonly serverSentMs?: number;
}

/** Enough probes for a first start. */
const syncedSamples = 4;
/** While fewer probes than this were seen the estimate is taken over at once: nothing plays by it for long yet. */
const steppingSamples = 12;
/** After something that may have moved the clock, so many newer probes make the older ones superfluous. */
const renewedSamples = 6;
/** More than a window ever holds; keeps a flood of answers from growing the memory. */
const maxSamples = 64;

/** The estimator. One per connection; it outlives reconnects, since the bounds it holds stay true. */
export class ClockOffset {
  #samples: ClockSample[] = [];
  #seen = 0;
  /** Probes sent before this are believed only until there are enough newer ones. */
  #doubtedBeforeMs = Number.NEGATIVE_INFINITY;
  /** The offset in use, and when it was last brought towards the estimate. */
  #served: { offsetMs: number; atLocalMs: number } | null = null;

  /** Takes an answered probe. One whose times are impossible is dropped. */
  addSample(sample: ClockSample): void {
    if (!isPossible(sample)) return;
    this.#advance(sample.receivedAtMs);
    this.#samples.push(sample);
    this.#seen += 1;
    this.#forget(sample.receivedAtMs);
    const { middleMs } = this.#bounds(sample.receivedAtMs);
    const isFar = this.#served === null || Math.abs(middleMs - this.#served.offsetMs) > clockStepMs;
    if (isFar || this.#seen <= steppingSamples) {
      this.#served = { offsetMs: middleMs, atLocalMs: sample.receivedAtMs };
    }
  }

  /**
   * The clock may have been stopped or the route changed (sleep, another network, a tab that comes back): what was
   * learned before this local moment is dropped as soon as a few newer probes were answered.
   */
  doubtPast(localMs: number): void {
    this.#doubtedBeforeMs = localMs;
  }

  /**
   * True once there were enough probes to start playing by this clock. While all of them queued (a page that was just
   * opened is busy) more are waited for, but no longer than for a burst.
   */
  get isSynced(): boolean {
    if (this.#seen >= steppingSamples || this.#served === null) return this.#served !== null;
    const isCertain = this.#bounds(this.#served.atLocalMs).halfWidthMs <= clockSureEnoughMs;
    return this.#seen >= syncedSamples && isCertain;
  }

  /** Whether a probe was answered so lately that what was learned still counts. */
  isCurrent(localMs: number): boolean {
    const newest = this.#samples.at(-1);
    return newest !== undefined && localMs - newest.receivedAtMs <= clockWindowMs;
  }

  /** The usual round trip: the middle one of the remembered probes, in milliseconds; null before the first. */
  get roundTripMs(): number | null {
    const trips = this.#samples.map((sample) => sample.receivedAtMs - sample.sentAtMs).sort((a, b) => a - b);
    return trips[trips.length >> 1] ?? null;
  }

  /** Server time minus local time, in milliseconds, slewed so that it never jumps while in use; NaN before the first probe. */
  offsetMs(localMs: number): number {
    this.#advance(localMs);
    return this.#served?.offsetMs ?? Number.NaN;
  }

  /** Server time at a local moment, in milliseconds since the epoch; NaN before the first probe. */
  serverNow(localMs: number): number {
    return localMs + this.offsetMs(localMs);
  }

  /** The true offset is no further than this from the one in use, in milliseconds; Infinity before the first probe. */
  uncertaintyMs(localMs: number): number {
    this.#advance(localMs);
    if (this.#served === null) return Number.POSITIVE_INFINITY;
    const { middleMs, halfWidthMs } = this.#bounds(localMs);
    return halfWidthMs + Math.abs(middleMs - this.#served.offsetMs);
  }

  /** Moves the offset in use towards the estimate, as far as the time that passed allows. */
  #advance(localMs: number): void {
    if (this.#served === null || localMs <= this.#served.atLocalMs) return;
    const { middleMs } = this.#bounds(localMs);
    const reachMs = (localMs - this.#served.atLocalMs) * clockSlewPerMs;
    const missingMs = middleMs - this.#served.offsetMs;
    const offsetMs = this.#served.offsetMs + Math.max(-reachMs, Math.min(reachMs, missingMs));
    this.#served = { offsetMs, atLocalMs: localMs };
  }

  /** Drops what is too old, and then, oldest first, what contradicts the newest probe (the device slept or was suspended). */
  #forget(localMs: number): void {
    const recent = this.#samples.filter((sample) => localMs - sample.receivedAtMs <= clockWindowMs);
    const renewed = recent.filter((sample) => sample.sentAtMs >= this.#doubtedBeforeMs);
    this.#samples = (renewed.length >= renewedSamples ? renewed : recent).slice(-maxSamples);
    while (this.#samples.length > 1 && this.#bounds(localMs).halfWidthMs < 0) this.#samples.shift();
  }

  /** What all bounds have in common at a local moment. Each loosens with age, as the two clocks may run unevenly. */
  #bounds(localMs: number): { middleMs: number; halfWidthMs: number } {
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    for (const sample of this.#samples) {
      const slackMs = Math.max(0, localMs - sample.receivedAtMs) * clockSkewPerMs;
      low = Math.max(low, (sample.serverSentMs ?? sample.serverReceivedMs) - sample.receivedAtMs - slackMs);
      high = Math.min(high, sample.serverReceivedMs - sample.sentAtMs + slackMs);
    }
    return { middleMs: (low + high) / 2, halfWidthMs: (high - low) / 2 };
  }
}

function isPossible(sample: ClockSample): boolean {
  const { sentAtMs, receivedAtMs, serverReceivedMs, serverSentMs = serverReceivedMs } = sample;
  const isFinite = [sentAtMs, receivedAtMs, serverReceivedMs, serverSentMs].every((time) => Number.isFinite(time));
  const tripMs = receivedAtMs - sentAtMs;
  return isFinite && tripMs >= 0 && serverSentMs >= serverReceivedMs && serverSentMs - serverReceivedMs <= tripMs + 1;
}
