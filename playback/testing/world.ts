/**
 * A whole room in virtual time from one seed: a host, followers, a server, bad connections, odd clocks, sleeping tabs,
 * stalls and adverts. Runs the real clock, probe and follow loops, and reports the judge's findings.
 */
import { type Findings, judgeEveryMs, SimJudge } from './judge.ts';
import { SimListener } from './listener.ts';
import { type LineQuality, SimLine, someLine } from './network.ts';
import type { SimPlayerKind } from './character.ts';
import { SimPlayer } from './player.ts';
import { SimRandom } from './random.ts';
import { type SimCommand, SimServer } from './server.ts';
import { SimTime } from './time.ts';
import { audioSeekToleranceSeconds, videoSeekToleranceSeconds } from '../src/timings.ts';

export { runClockHour } from './clock-hour.ts';

export interface SimulationOptions {
  readonly players: SimPlayerKind;
  readonly followers?: number;
  /** A host next to the server and a first follower 150 ms away, instead of typical connections. */
  readonly hasFarFollower?: boolean;
  /** Stalls, adverts, sleep, time offline and throttled timers in the middle of the run. */
  readonly isDisturbed?: boolean;
}

/** The result of one seed. */
export type SimulationReport = Findings & {
  readonly seed: number;
  /** Summed over all listeners, like `rateChanges` and `listenedMinutes`. */
  readonly seeks: number;
  readonly rateChanges: number;
  readonly listenedMinutes: number;
  /** The most seeks of one listener for one update, in an undisturbed stretch. */
  readonly mostSeeksPerUpdate: number;
};

/** A smaller drift counts as in sync. */
const inStepBoundMs: Readonly<Record<SimPlayerKind, number>> = {
  media: 20,
  stepped: 20,
  costly: 150,
  fixed: 150,
  coarse: 150,
  near: 150,
};
const leastAdvertMs = 5000;

const trackSeconds = 600;
const runMs = 90_000;
/** Disturbances happen only between these. */
const disturbedFromMs = 42_000;
const disturbedUntilMs = 58_000;

const nearLine: LineQuality = { upMs: 3, downMs: 3, jitterMs: 1, lossShare: 0 };
const farLine: LineQuality = { upMs: 125, downMs: 125, jitterMs: 25, lossShare: 0.01 };

/** The same seed and options always give the same report. */
export function runSimulation(seed: number, options: SimulationOptions): SimulationReport {
  const world = new World(seed, options);
  world.run();
  return world.report();
}

class World {
  readonly #seed: number;
  readonly #options: SimulationOptions;
  readonly #random: SimRandom;
  readonly #time = new SimTime();
  readonly #server = new SimServer(this.#time);
  readonly #judge: SimJudge;
  #mostSeeksPerUpdate = 0;

  constructor(seed: number, options: SimulationOptions) {
    this.#seed = seed;
    this.#options = options;
    this.#random = new SimRandom(seed);
    this.#judge = new SimJudge(this.#server, inStepBoundMs[options.players]);
  }

  run(): void {
    const random = this.#random;
    const host = this.#join('host', true);
    const count = this.#options.followers ?? 3;
    for (let index = 1; index <= count; index++) {
      this.#time.at(random.between(0, 1500), () => this.#join(`follower-${index}`, false));
    }
    this.#plan(host, 3000, { type: 'track', trackKey: 'first' }, 'start');
    this.#plan(
      host,
      random.between(12_000, 13_000),
      { type: 'seek', positionSeconds: random.between(30, 200) },
      'seek',
    );
    this.#plan(host, random.between(21_000, 22_000), { type: 'pause' }, null);
    this.#plan(host, random.between(23_000, 25_000), { type: 'play' }, 'resume');
    this.#time.at(random.between(31_000, 33_000), () => {
      const late = this.#join('late', false);
      this.#judge.expect('join', [late], this.#time.nowMs);
    });
    if (this.#options.isDisturbed === true) this.#disturb();
    for (let atMs = 0; atMs < runMs; atMs += judgeEveryMs)
      this.#time.at(atMs, () => this.#judge.look(this.#time.nowMs));
    this.#time.runUntil(runMs);
  }

  report(): SimulationReport {
    const { listeners } = this.#server;
    const total = (of: (listener: SimListener) => number): number => listeners.reduce((sum, one) => sum + of(one), 0);
    return {
      ...this.#judge.findings,
      seed: this.#seed,
      seeks: total((listener) => listener.player.seeks),
      rateChanges: total((listener) => listener.player.rateChanges),
      listenedMinutes: total((listener) => (runMs - listener.joinedAtMs) / 60_000),
      mostSeeksPerUpdate: this.#mostSeeksPerUpdate,
    };
  }

  #join(name: string, isHost: boolean): SimListener {
    const [time, random, server] = [this.#time, this.#random, this.#server];
    const line = new SimLine(time, random, this.#lineOf(name));
    const player = new SimPlayer(time, random, this.#options.players, trackSeconds);
    const isMedia = !player.hasAdverts;
    const listener: SimListener = new SimListener({
      name,
      time,
      random,
      line,
      player,
      seekToleranceSeconds: isMedia ? audioSeekToleranceSeconds : videoSeekToleranceSeconds,
      endOfTrack: isMedia ? 'rewind' : 'next',
      isHost,
      answerProbe: (roundTripMs) => server.probe(listener, roundTripMs),
      onIntent: (intent, revision) => server.intent(intent, revision),
      onReady: (revision) => server.ready(listener, revision),
    });
    server.join(listener);
    return listener;
  }

  #lineOf(name: string): LineQuality {
    if (this.#options.hasFarFollower !== true) return someLine(this.#random);
    return name === 'follower-1' ? farLine : nearLine;
  }

  /** Plans a command of the host, and counts the seeks that each undisturbed listener needs for it. */
  #plan(host: SimListener, atMs: number, command: SimCommand, cause: 'start' | 'seek' | 'resume' | null): void {
    this.#time.at(atMs, () => {
      host.line.up(true, () => {
        this.#server.command(command);
        const { listeners } = this.#server;
        const before = new Map(listeners.map((listener) => [listener, listener.player.seeks]));
        this.#time.after(6000, () => {
          for (const [listener, seeks] of before) {
            this.#mostSeeksPerUpdate = Math.max(this.#mostSeeksPerUpdate, listener.player.seeks - seeks);
          }
        });
        if (cause !== null) this.#expectFromEffect(cause);
      });
    });
  }

  /** Convergence counts from the effect of a command, which for a track change is the end of the load wait. */
  #expectFromEffect(cause: 'start' | 'seek' | 'resume'): void {
    const { timeline, nowMs, listeners } = this.#server;
    const { revision } = timeline;
    this.#time.after(Math.max(0, timeline.atServerMs - nowMs), () => {
      const hasMovedOn = this.#server.timeline.revision !== revision;
      if (!hasMovedOn) this.#judge.expect(cause, listeners, this.#time.nowMs);
    });
    if (cause !== 'start') return;
    const watchBarrier = (): void => {
      const { timeline: current, nowMs: serverMs } = this.#server;
      if (current.revision === revision) {
        if (serverMs < current.atServerMs) this.#time.after(10, watchBarrier);
        return;
      }
      this.#time.after(Math.max(0, current.atServerMs - serverMs), () => {
        this.#judge.expect(cause, listeners, this.#time.nowMs);
      });
    };
    watchBarrier();
  }

  #disturb(): void {
    const random = this.#random;
    for (let count = random.whole(2, 5); count > 0; count--) {
      const atMs = random.between(disturbedFromMs, disturbedUntilMs - 6000);
      this.#time.at(atMs, () => this.#trouble(random.whole(0, this.#server.listeners.length - 1)));
    }
  }

  #trouble(index: number): void {
    const [random, time] = [this.#random, this.#time];
    const listener = this.#server.listeners[index];
    if (listener === undefined) return;
    const troubleMs = random.between(200, 6000);
    // The room waits for the host, so the host's trouble affects all listeners.
    const concerned = index === 0 ? this.#server.listeners : [listener];
    const kind = random.whole(0, listener.player.hasAdverts ? 4 : 3);
    const lastsMs = kind === 4 ? Math.max(leastAdvertMs, troubleMs) : troubleMs;
    for (const one of concerned) this.#judge.excuse(one, time.nowMs + lastsMs + 2000);
    if (kind === 0) listener.player.stall(lastsMs);
    if (kind === 4) listener.player.advertise(lastsMs);
    if (kind === 1) listener.sleep(lastsMs);
    if (kind === 2) listener.loseLine(lastsMs);
    if (kind === 3) {
      listener.isThrottled = true;
      time.after(lastsMs, () => {
        listener.isThrottled = false;
        listener.wakeUp();
      });
    }
    if (kind === 1 || kind === 2) time.after(lastsMs + 100, () => this.#server.catchUp(listener));
  }
}
