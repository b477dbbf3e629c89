/**
 * One member's tab: its own monotonic clock (any origin, a little fast or slow, stopped while the device sleeps), late
 * timers, a connection, a player, and the real probe and follow loops.
 */
import { ClockOffset, type ProbeAnswer, type ProbeLoop, startProbeLoop } from '../src/clock/server-clock.ts';
import { type FollowLoop, startFollowLoop } from '../src/follow/follow-loop.ts';
import { type EndOfTrack, lead, type LeaderIntent } from '../src/room/leader.ts';
import { awaitedStart, hasLoaded } from '../src/room/room-schedule.ts';
import type { SimLine } from './network.ts';
import type { SimPlayer } from './player.ts';
import type { SimRandom } from './random.ts';
import type { SimTime } from './time.ts';
import { type Timeline, emptyTimeline } from '../src/room/timeline.ts';

export interface SimListenerParts {
  readonly name: string;
  readonly time: SimTime;
  readonly random: SimRandom;
  readonly line: SimLine;
  readonly player: SimPlayer;
  readonly seekToleranceSeconds: number;
  readonly endOfTrack: EndOfTrack;
  readonly isHost: boolean;
  readonly answerProbe: (roundTripMs: number | null) => ProbeAnswer;
  /** With the revision that the tab had. */
  readonly onIntent: (intent: LeaderIntent, revision: number) => void;
  readonly onReady: (revision: number) => void;
  /** The track that a tab with this timeline should have loaded besides the playing one. */
  readonly toLoadNext?: (timeline: Timeline, serverMs: number) => string | null;
}

/** A background tab's timers fire on whole seconds. */
const throttledMs = 1000;
const hourMs = 3_600_000;

export class SimListener {
  readonly name: string;
  readonly player: SimPlayer;
  readonly line: SimLine;
  readonly loop: FollowLoop;
  readonly clock = new ClockOffset();
  readonly joinedAtMs: number;
  isThrottled = false;
  /** When something last disturbed this tab. */
  disturbedAtMs = Number.NEGATIVE_INFINITY;
  readonly #time: SimTime;
  readonly #random: SimRandom;
  readonly #originMs: number;
  readonly #skew: number;
  #sleptMs = 0;
  #fellAsleepMs = 0;
  #asleepUntilMs = 0;
  #lineLosses = 0;
  readonly #probes: ProbeLoop;
  #known: Timeline = emptyTimeline(0);
  #awaited: Timeline | null = null;

  constructor(parts: SimListenerParts) {
    const { name, time, random, line, player } = parts;
    this.name = name;
    this.player = player;
    this.line = line;
    this.#time = time;
    this.#random = random;
    this.#originMs = random.between(-12 * hourMs, 12 * hourMs);
    this.#skew = random.between(-25e-6, 25e-6);
    this.joinedAtMs = time.nowMs;
    const nowMs = (): number => this.localMs;
    const schedule = (task: () => void, delayMs: number): (() => void) => this.#schedule(task, delayMs);
    this.#probes = startProbeLoop({
      clock: this.clock,
      nowMs,
      schedule,
      send: (onAnswer, roundTripMs) =>
        line.up(false, () => {
          const answer = parts.answerProbe(roundTripMs);
          line.down(false, () => onAnswer(answer));
        }),
    });
    this.loop = startFollowLoop({
      player,
      clock: this.clock,
      nowMs,
      schedule,
      seekToleranceSeconds: parts.seekToleranceSeconds,
      endOfTrack: parts.endOfTrack,
      onIntent: (intent) => {
        const { revision } = this.#known;
        line.up(true, () => parts.onIntent(intent, revision));
      },
      onStatus: (status) => {
        const serverMs = this.clock.serverNow(this.localMs);
        if (parts.toLoadNext !== undefined) player.prepare(parts.toLoadNext(this.#known, serverMs));
        const awaited = this.#awaited;
        if (awaited === null || !hasLoaded(awaited, status)) return;
        this.#awaited = null;
        line.up(true, () => parts.onReady(awaited.revision));
      },
    });
    this.loop.setLeading(parts.isHost ? lead : null);
  }

  /** The tab's `performance.now()`. */
  get localMs(): number {
    const { nowMs } = this.#time;
    const awakeMs = nowMs < this.#asleepUntilMs ? this.#fellAsleepMs : nowMs;
    return this.#originMs + (awakeMs - this.#sleptMs) * (1 + this.#skew);
  }

  receive(timeline: Timeline): void {
    this.line.down(true, () => {
      if (timeline.revision < this.#known.revision) return;
      this.#awaited = awaitedStart(this.#awaited, this.#known, timeline, this.clock.serverNow(this.localMs));
      this.#known = timeline;
      this.loop.setTimeline(timeline);
    });
  }

  /**
   * The device sleeps: nothing runs, the sound stops, and the monotonic clock stops. No effect while it sleeps already.
   */
  sleep(durationMs: number): void {
    if (this.#time.nowMs < this.#asleepUntilMs) return;
    this.#fellAsleepMs = this.#time.nowMs;
    this.#asleepUntilMs = this.#time.nowMs + durationMs;
    this.player.stall(durationMs);
    this.#time.after(durationMs, () => (this.#sleptMs += durationMs));
    this.loseLine(durationMs);
  }

  /** No message passes for a while; of overlapping causes the last to end counts. */
  loseLine(durationMs: number): void {
    this.#lineLosses += 1;
    this.line.isOffline = true;
    this.#time.after(durationMs, () => {
      this.#lineLosses -= 1;
      this.line.isOffline = this.#lineLosses > 0;
      this.wakeUp();
    });
  }

  /** The tab becomes active: probes at once and looks at its player. No effect while the device sleeps. */
  wakeUp(): void {
    if (this.#time.nowMs < this.#asleepUntilMs) return;
    this.#probes.burst();
    this.loop.wake();
  }

  leave(): void {
    this.loop.stop();
    this.#probes.stop();
  }

  #schedule(task: () => void, delayMs: number): () => void {
    const isJanky = this.#random.chance(0.01);
    const latenessMs = this.#random.exponential(1.5) + (isJanky ? this.#random.between(10, 80) : 0);
    const dueMs = this.#time.nowMs + delayMs + latenessMs;
    const atMs = this.isThrottled ? Math.ceil(dueMs / throttledMs) * throttledMs : dueMs;
    let isCancelled = false;
    const run = (): void => {
      if (isCancelled) return;
      if (this.#time.nowMs < this.#asleepUntilMs) this.#time.at(this.#asleepUntilMs + 1, run);
      else task();
    };
    this.#time.at(atMs, run);
    return () => {
      isCancelled = true;
    };
  }
}
