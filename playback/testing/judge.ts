/**
 * Judges a simulated room by facts that no listener can see: each player's true drift from the server's timeline, how
 * soon it converged after each cause, and how far listeners are apart.
 */
import type { SimListener } from './listener.ts';
import type { SimServer } from './server.ts';
import { positionAt } from '../src/room/timeline.ts';

/** What made listeners converge. */
export type Cause = 'start' | 'seek' | 'resume' | 'join';

/** How long one listener took to come inside the bound, and stay. */
export interface Convergence {
  readonly cause: Cause;
  readonly name: string;
  readonly tookMs: number;
}

/** The figures of one world. Milliseconds; drifts are absolute. */
export interface Findings {
  readonly steadyDriftsMs: number[];
  /** Between each two listeners. */
  readonly spreadsMs: number[];
  readonly convergences: Convergence[];
  /** The longest time that an undisturbed listener was more than half a second off. */
  longestFarMs: number;
}

interface Open {
  readonly cause: Cause;
  readonly listener: SimListener;
  readonly fromMs: number;
  insideFromMs: number | null;
}

export const judgeEveryMs = 50;
const farMs = 500;
/** A drift counts as steady this long after the last cause or disturbance. */
const steadyAfterMs = 5000;
const stayMs = 500;

export class SimJudge {
  readonly findings: Findings = { steadyDriftsMs: [], spreadsMs: [], convergences: [], longestFarMs: 0 };
  readonly #server: SimServer;
  readonly #boundMs: number;
  #open: Open[] = [];
  readonly #farSinceMs = new Map<SimListener, number>();
  #causedAtMs = 0;

  constructor(server: SimServer, boundMs: number) {
    this.#server = server;
    this.#boundMs = boundMs;
  }

  /** Starts measuring the convergence of these listeners. */
  expect(cause: Cause, listeners: readonly SimListener[], nowMs: number): void {
    this.#open = this.#open.filter((open) => !listeners.includes(open.listener));
    for (const listener of listeners) this.#open.push({ cause, listener, fromMs: nowMs, insideFromMs: null });
    if (cause !== 'join') this.#causedAtMs = nowMs;
  }

  /** Stops measuring a listener that is disturbed until `untilMs`. */
  excuse(listener: SimListener, untilMs: number): void {
    this.#open = this.#open.filter((open) => open.listener !== listener);
    listener.disturbedAtMs = Math.max(listener.disturbedAtMs, untilMs);
  }

  /** Measures all listeners once. */
  look(nowMs: number): void {
    const { timeline, nowMs: serverMs, listeners } = this.#server;
    const isOn = timeline.isPlaying && serverMs > timeline.atServerMs;
    const steady: number[] = [];
    for (const listener of listeners) {
      const { player } = listener;
      const exactMs = (player.truePositionSeconds - positionAt(timeline, serverMs)) * 1000;
      const driftMs = player.isSounding ? Math.abs(exactMs) : Number.POSITIVE_INFINITY;
      if (isOn) this.#converge(listener, driftMs, nowMs);
      this.#noteFar(listener, isOn && driftMs > farMs, nowMs);
      const sinceMs = Math.max(listener.disturbedAtMs, listener.joinedAtMs, this.#causedAtMs);
      if (!isOn || nowMs - sinceMs < steadyAfterMs) continue;
      this.findings.steadyDriftsMs.push(driftMs);
      steady.push(exactMs);
    }
    for (const [index, one] of steady.entries()) {
      for (const other of steady.slice(index + 1)) this.findings.spreadsMs.push(Math.abs(one - other));
    }
  }

  #converge(listener: SimListener, driftMs: number, nowMs: number): void {
    for (const open of this.#open) {
      if (open.listener !== listener) continue;
      if (driftMs > this.#boundMs) open.insideFromMs = null;
      else open.insideFromMs ??= nowMs;
      if (open.insideFromMs === null || nowMs - open.insideFromMs < stayMs) continue;
      const tookMs = Math.max(0, open.insideFromMs - open.fromMs);
      this.findings.convergences.push({ cause: open.cause, name: listener.name, tookMs });
      this.#open = this.#open.filter((other) => other !== open);
    }
  }

  #noteFar(listener: SimListener, isFar: boolean, nowMs: number): void {
    const isExcused = nowMs - listener.disturbedAtMs < 0;
    if (!isFar || isExcused) return void this.#farSinceMs.delete(listener);
    const sinceMs = this.#farSinceMs.get(listener) ?? nowMs;
    this.#farSinceMs.set(listener, sinceMs);
    this.findings.longestFarMs = Math.max(this.findings.longestFarMs, nowMs - sinceMs);
  }
}
