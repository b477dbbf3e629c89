/**
 * What a follower has learned about its player: how late seeks and starts land, how long loading takes, what a rate
 * change costs. Each figure is a running average that starts from the player's declaration, bounded to what can be.
 */
import type { PlayerCapabilities } from './player.ts';
import { RATE_LEAVE_LOSS_SECONDS } from './timings.ts';

/** Learned seconds; null until something was learned, when the player's declaration or a default stands in. */
export type Learned = {
  readonly seekSeconds: number | null;
  readonly startSeconds: number | null;
  /** From asking for a track until it can start. */
  readonly loadSeconds: number | null;
  /** From moving a paused player until it can start. */
  readonly cueSeconds: number | null;
  /** What the player falls back by when it leaves rate 1. */
  readonly leaveLossSeconds: number | null;
  /** What it falls back by when it returns to rate 1. */
  readonly returnLossSeconds: number | null;
};

/** Nothing learned yet. */
export const INITIAL_LEARNED: Learned = {
  seekSeconds: null,
  startSeconds: null,
  loadSeconds: null,
  cueSeconds: null,
  leaveLossSeconds: null,
  returnLossSeconds: null,
};

/** The share of a new observation in the average; returns are random around a mean, so they count less. */
const SHARES: Readonly<Record<keyof Learned, number>> = {
  seekSeconds: 0.5,
  startSeconds: 0.5,
  loadSeconds: 0.5,
  cueSeconds: 0.5,
  leaveLossSeconds: 0.4,
  returnLossSeconds: 0.2,
};

const BOUNDS: Readonly<Record<keyof Learned, readonly [number, number]>> = {
  seekSeconds: [0, 2],
  startSeconds: [0, 2],
  loadSeconds: [0.1, 3],
  cueSeconds: [0.05, 2],
  leaveLossSeconds: [-0.05, 0.1],
  returnLossSeconds: [-0.05, 0.05],
};

const LOAD_GUESS_FINE_SECONDS = 0.5;
const LOAD_GUESS_COARSE_SECONDS = 1.2;
const CUE_GUESS_SECONDS = 0.2;

/** The figures to act by. */
export function expected(learned: Learned, capabilities: PlayerCapabilities): Record<keyof Learned, number> {
  const isFine = capabilities.rateControl.type === 'fine';
  return {
    seekSeconds: learned.seekSeconds ?? capabilities.seekLatencySeconds,
    startSeconds: learned.startSeconds ?? capabilities.startLatencySeconds,
    loadSeconds: learned.loadSeconds ?? (isFine ? LOAD_GUESS_FINE_SECONDS : LOAD_GUESS_COARSE_SECONDS),
    cueSeconds: learned.cueSeconds ?? CUE_GUESS_SECONDS,
    leaveLossSeconds: learned.leaveLossSeconds ?? (isFine ? RATE_LEAVE_LOSS_SECONDS : 0),
    returnLossSeconds: learned.returnLossSeconds ?? 0,
  };
}

/** Takes in one observation of a figure, in seconds. */
export function learn(
  learned: Learned,
  capabilities: PlayerCapabilities,
  figure: keyof Learned,
  observedSeconds: number,
): Learned {
  const before = expected(learned, capabilities)[figure];
  const [least, most] = BOUNDS[figure];
  const after = before + SHARES[figure] * (observedSeconds - before);
  return { ...learned, [figure]: Math.min(most, Math.max(least, after)) };
}
