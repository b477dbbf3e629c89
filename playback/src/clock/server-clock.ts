/**
 * Estimates server time from request-and-answer probes, on the local monotonic clock (`performance.now()`), and plans when
 * to probe. The server's stamp lies between sending and receiving, so each probe bounds the offset from both sides; the
 * estimate is the middle of all recent bounds, carried on at the rate between the two clocks that fits them best. A probe
 * that queued anywhere has loose bounds and never moves it: the least delay in each direction decides, which also favours
 * the least round trip. Has no socket, no timer, and no wall clock: a device clock that is hours off has no effect.
 */
import {
  clockCurrentMs,
  clockLookMs,
  clockMovedMs,
  clockSkewPerMs,
  clockSlewPerMs,
  clockStepMs,
  clockStoodStillMs,
  clockSureEnoughMs,
  clockWindowMs,
  probeBurstCount,
  probeBurstSpacingMs,
  probeSettledSpacingMs,
  probeSleepMs,
  probesUntilSettled,
  probeUnansweredMs,
  probeUnsureSpacingMs,
} from '../timings.ts';

/** One answered probe. Local times are monotonic milliseconds, server times milliseconds since the epoch. */
export interface ClockSample {
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  /** The server's time when the probe arrived. */
  readonly serverReceivedMs: number;
  /** The server's time just before it answered; the same as on arrival if left out. */
  readonly serverSentMs?: number;
}

/** Enough probes for a first start. */
const syncedSamples = 4;
/** Up to this many probes the estimate is applied at once: playback has hardly used it yet. */
const steppingSamples = 12;
/** After a possible change of the clock, this many newer probes replace the older ones. */
const renewedSamples = 6;
/** The rates between the clocks that are tried, apart by this. */
const rateStep = 2e-6;
/** A rate that leaves less room than another by this much fits e times worse. */
const fitMs = 1;
/** More than a window ever holds; bounds the memory under a flood of answers. */
const maxSamples = 64;

/** One per connection; it outlives reconnects, since its bounds stay true. */
export class ClockOffset {
  #samples: ClockSample[] = [];
  #seen = 0;
  /** The estimate at the newest answer, and how fast it moves. */
  #line = { middleMs: Number.NaN, rate: 0, atMs: 0 };
  /** Probes sent before this count only until there are enough newer ones. */
  #doubtedBeforeMs = Number.NEGATIVE_INFINITY;
  /** The offset in use, and when it last moved towards the estimate. */
  #served: { offsetMs: number; atLocalMs: number } | null = null;

  /** Adds an answered probe; drops one with impossible times. */
  addSample(sample: ClockSample): void {
    if (!isPossible(sample)) return;
    this.#advance(sample.receivedAtMs);
    this.#samples.push(sample);
    this.#seen += 1;
    this.#forget(sample.receivedAtMs);
    this.#fit(sample.receivedAtMs);
    const { middleMs } = this.#line;
    const isFar = this.#served === null || Math.abs(middleMs - this.#served.offsetMs) > clockStepMs;
    if (isFar || this.#seen <= steppingSamples) {
      this.#served = { offsetMs: middleMs, atLocalMs: sample.receivedAtMs };
    }
  }

  /**
   * The clock may have stopped or the route changed (sleep, another network, a tab that becomes visible): probes from
   * before this local time are dropped as soon as a few newer ones were answered.
   */
  doubtPast(localMs: number): void {
    this.#doubtedBeforeMs = localMs;
  }

  /**
   * True once there were enough probes to start playing by this clock. While all of them queued (a page that just
   * opened is busy) it waits for more, but no longer than a burst.
   */
  get isSynced(): boolean {
    if (this.#seen >= steppingSamples || this.#served === null) return this.#served !== null;
    const { lowMs, highMs } = this.#bounds(this.#served.atLocalMs);
    const isCertain = highMs - lowMs <= 2 * clockSureEnoughMs;
    return this.#seen >= syncedSamples && isCertain;
  }

  /** Whether a probe was answered recently enough for the estimate to be valid. */
  isCurrent(localMs: number): boolean {
    const newest = this.#samples.at(-1);
    return newest !== undefined && localMs - newest.receivedAtMs <= clockCurrentMs;
  }

  /** How far the offset in use is from the estimate, in milliseconds; NaN before the first probe. */
  missingMs(localMs: number): number {
    return this.#middleMs(localMs) - this.offsetMs(localMs);
  }

  /** The median round trip of the latest probes, in milliseconds; null before the first. */
  get roundTripMs(): number | null {
    const trips = this.#samples
      .slice(-steppingSamples)
      .map((sample) => sample.receivedAtMs - sample.sentAtMs)
      .sort((a, b) => a - b);
    return trips[trips.length >> 1] ?? null;
  }

  /**
   * Server time minus local time, in milliseconds, slewed so that it never jumps in use; NaN before the first probe.
   */
  offsetMs(localMs: number): number {
    this.#advance(localMs);
    return this.#served?.offsetMs ?? Number.NaN;
  }

  /** Server time at a local time, in milliseconds since the epoch; NaN before the first probe. */
  serverNow(localMs: number): number {
    return localMs + this.offsetMs(localMs);
  }

  /** The greatest error of the offset in use, in milliseconds; Infinity before the first probe. */
  uncertaintyMs(localMs: number): number {
    this.#advance(localMs);
    if (this.#served === null) return Number.POSITIVE_INFINITY;
    const { lowMs, highMs } = this.#bounds(localMs);
    const { offsetMs } = this.#served;
    return Math.max(highMs - offsetMs, offsetMs - lowMs);
  }

  /** Moves the offset in use towards the estimate, as far as the elapsed time allows. */
  #advance(localMs: number): void {
    if (this.#served === null || localMs <= this.#served.atLocalMs) return;
    const reachMs = (localMs - this.#served.atLocalMs) * clockSlewPerMs;
    const missingMs = this.#middleMs(localMs) - this.#served.offsetMs;
    const offsetMs = this.#served.offsetMs + Math.max(-reachMs, Math.min(reachMs, missingMs));
    this.#served = { offsetMs, atLocalMs: localMs };
  }

  /** Drops probes that are too old, then, oldest first, those that contradict the newest one (the device slept). */
  #forget(localMs: number): void {
    const recent = this.#samples.filter((sample) => localMs - sample.receivedAtMs <= clockWindowMs);
    const renewed = recent.filter((sample) => sample.sentAtMs >= this.#doubtedBeforeMs);
    this.#samples = (renewed.length >= renewedSamples ? renewed : recent).slice(-maxSamples);
    while (this.#samples.length > 1 && this.#isContradictory(localMs)) this.#samples.shift();
  }

  #isContradictory(localMs: number): boolean {
    const { lowMs, highMs } = this.#bounds(localMs);
    return highMs < lowMs;
  }

  #middleMs(localMs: number): number {
    const { middleMs, rate, atMs } = this.#line;
    return middleMs + rate * Math.max(0, localMs - atMs);
  }

  /**
   * Carried on at a wrong rate, the bounds of different moments leave less room between them than at the right one: so
   * each rate counts by the room that it leaves.
   */
  #fit(atMs: number): void {
    let [most, mass, middleMs, rate] = [Number.NEGATIVE_INFINITY, 0, 0, 0];
    for (let tried = -clockSkewPerMs; tried < clockSkewPerMs + rateStep / 2; tried += rateStep) {
      const { lowMs, highMs } = this.#bounds(atMs, tried, 0);
      const roomMs = highMs - lowMs;
      // The best so far counts as one, so that nothing overflows.
      const fade = Math.exp(Math.min(0, (most - roomMs) / fitMs));
      most = Math.max(most, roomMs);
      const weight = Math.exp((roomMs - most) / fitMs);
      mass = mass * fade + weight;
      middleMs = middleMs * fade + (weight * (lowMs + highMs)) / 2;
      rate = rate * fade + weight * tried;
    }
    this.#line = { middleMs: middleMs / mass, rate: rate / mass, atMs };
  }

  /** What all probes leave at a local time, if the clocks drift apart by `rate` and at most by `skew` more or less. */
  #bounds(localMs: number, rate = 0, skew = clockSkewPerMs): { lowMs: number; highMs: number } {
    let lowMs = Number.NEGATIVE_INFINITY;
    let highMs = Number.POSITIVE_INFINITY;
    for (const sample of this.#samples) {
      const ageMs = Math.max(0, localMs - sample.receivedAtMs);
      const { serverReceivedMs, serverSentMs = serverReceivedMs } = sample;
      lowMs = Math.max(lowMs, serverSentMs - sample.receivedAtMs + (rate - skew) * ageMs);
      highMs = Math.min(highMs, serverReceivedMs - sample.sentAtMs + (rate + skew) * ageMs);
    }
    return { lowMs, highMs };
  }
}

function isPossible(sample: ClockSample): boolean {
  const { sentAtMs, receivedAtMs, serverReceivedMs, serverSentMs = serverReceivedMs } = sample;
  const isFinite = [sentAtMs, receivedAtMs, serverReceivedMs, serverSentMs].every((time) => Number.isFinite(time));
  const tripMs = receivedAtMs - sentAtMs;
  return isFinite && tripMs >= 0 && serverSentMs >= serverReceivedMs && serverSentMs - serverReceivedMs <= tripMs + 1;
}

// Keeps the clock estimate fresh: plans when to probe the server's clock, sends the probes and passes the answers to
// the estimator. A burst on connecting, then probes that become rare while the estimate stays where it is, and another
// burst after anything that may have changed the clock or the route (sleep, another network, a tab that becomes visible).

/** The server's answer to a probe: its own time, in milliseconds since the epoch. */
export interface ProbeAnswer {
  readonly serverReceivedMs: number;
  readonly serverSentMs?: number;
}

interface ProbeLoopPorts {
  readonly clock: ClockOffset;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Milliseconds that go on while the device sleeps, of any origin; by default the same, which shows no sleep. */
  readonly wallMs?: () => number;
  readonly schedule: Schedule;
  /**
   * Sends one probe with the median round trip so far (null before the first answer), from which the server computes
   * the lead of commands; calls back with the answer, or never.
   */
  readonly send: (onAnswer: (answer: ProbeAnswer) => void, roundTripMs: number | null) => void;
}

export interface ProbeLoop {
  /** Starts a new burst: after a reconnect, a network change, or when the tab becomes visible again. */
  burst(): void;
  /** Sends one probe now, or a second after the newest: the server is to learn what it carries. */
  soon(): void;
  stop(): void;
}

/** Sends the first probe at once. */
export function startProbeLoop(ports: ProbeLoopPorts): ProbeLoop {
  const { clock, nowMs, wallMs = nowMs, schedule, send } = ports;
  let plan = startBurst(nowMs());
  let cancel = (): void => undefined;
  let isStopped = false;
  let newestMs = Number.NaN;
  let apartMs = wallMs() - nowMs();

  function probe(): void {
    const sentAtMs = nowMs();
    newestMs = sentAtMs;
    send((answer) => {
      if (isStopped) return;
      const receivedAtMs = nowMs();
      const before = clock.offsetMs(receivedAtMs);
      clock.addSample({ ...answer, sentAtMs, receivedAtMs });
      if (sentAtMs !== newestMs) return;
      const movedMs = clock.missingMs(receivedAtMs) + clock.offsetMs(receivedAtMs) - before;
      plan = afterAnswer(plan, sentAtMs, Math.abs(movedMs));
      wait();
    }, clock.roundTripMs);
    const { burstLeft } = plan;
    plan = afterProbe(plan, sentAtMs);
    if (plan.burstLeft > burstLeft) clock.doubtPast(sentAtMs);
    wait();
  }

  /** In short pieces: a clock that stood still is noticed soon after the device wakes, not with the next probe. */
  function wait(): void {
    cancel();
    cancel = schedule(look, Math.min(clockLookMs, plan.dueAtMs - nowMs()));
  }

  function look(): void {
    const was = apartMs;
    apartMs = wallMs() - nowMs();
    if (Math.abs(apartMs - was) > clockStoodStillMs) startAgain();
    else if (plan.dueAtMs - nowMs() < 1) probe();
    else wait();
  }

  function startAgain(): void {
    plan = startBurst(nowMs());
    clock.doubtPast(plan.dueAtMs);
    probe();
  }

  probe();
  return {
    burst: () => {
      if (!isStopped) startAgain();
    },
    soon: () => {
      if (isStopped) return;
      const dueAtMs = Math.max(nowMs(), newestMs + probeUnsureSpacingMs);
      plan = { ...plan, dueAtMs: Math.min(plan.dueAtMs, dueAtMs) };
      wait();
    },
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}

/** The rest of the current burst, and when the next probe is due (local milliseconds). */
export interface ProbePlan {
  readonly burstLeft: number;
  readonly dueAtMs: number;
  /** Answers since the burst. */
  readonly answered: number;
  /** The pause before the next probe, once there is an answer to the last. */
  readonly spacingMs: number;
}

export function startBurst(nowMs: number): ProbePlan {
  return { burstLeft: probeBurstCount, dueAtMs: nowMs, answered: 0, spacingMs: probeUnsureSpacingMs };
}

/**
 * The plan after the probe sent at `nowMs`. A probe sent much later than due means that the device slept: a new burst
 * starts.
 */
export function afterProbe(plan: ProbePlan, nowMs: number): ProbePlan {
  const current = nowMs - plan.dueAtMs > probeSleepMs ? startBurst(nowMs) : plan;
  const burstLeft = Math.max(0, current.burstLeft - 1);
  // Uneven spacing keeps a burst out of phase with periodic traffic, such as a radio's beacon.
  const pauseMs =
    burstLeft > 0 ? probeBurstSpacingMs * (1 + (burstLeft % 3) / 2) : Math.min(current.spacingMs, probeUnansweredMs);
  return { ...current, burstLeft, dueAtMs: nowMs + pauseMs };
}

/** The plan once the newest probe was answered, which moved the estimate by `movedMs`. */
export function afterAnswer(plan: ProbePlan, sentAtMs: number, movedMs: number): ProbePlan {
  if (plan.burstLeft > 0) return plan;
  const answered = plan.answered + 1;
  const isSettled = answered >= probesUntilSettled && movedMs <= clockMovedMs;
  const spacingMs = isSettled ? Math.min(plan.spacingMs * 2, probeSettledSpacingMs) : probeUnsureSpacingMs;
  return { ...plan, answered, spacingMs, dueAtMs: sentAtMs + spacingMs };
}

/**
 * `setTimeout` in a browser, virtual time in the simulation. Runs `task` once after `delayMs`; returns the cancel
 * function.
 */
export type Schedule = (task: () => void, delayMs: number) => () => void;
