/**
 * Chooses the rate of a nudge and how long it lasts, for a drift and for what the rate changes themselves cost.
 * Few, short and inaudible on a player with fine rates; a burst at the nearest step on one with coarse rates.
 */
import type { RateControl } from './player.ts';
import {
  BURST_IN_SECONDS,
  BURST_LONGEST_MS,
  NUDGE_AFTER_START_MS,
  NUDGE_GENTLE_SHARE,
  NUDGE_IN_AFTER_START_SECONDS,
  NUDGE_IN_SECONDS,
  NUDGE_LONGEST_MS,
  NUDGE_MAX_SHARE,
  NUDGE_MAX_SHARE_AFTER_START,
  NUDGE_SHORTEST_MS,
  THRASH_BANDS,
  THRASH_WINDOW_MS,
} from './timings.ts';

/** A rate and how long to keep it. */
export type Nudge = { readonly rate: number; readonly durationMs: number };

/** What a nudge is planned from. Seconds behind; negative when ahead. */
export type NudgeNeed = {
  readonly behindSeconds: number;
  /** What leaving rate 1 and returning to it are expected to lose, together. */
  readonly costSeconds: number;
  /** Shortly after a start or a seek: quicker, and a little stronger. */
  readonly isHurried: boolean;
  /** How late the timer that ends the nudge may be. */
  readonly wakeLatenessMs: number;
};

/** A rate of exactly 1 would not be a change. */
const LEAST_SHARE = 0.002;
/** A timer that is late may cost at most this part of the nudge. */
const LATENESS_PARTS = 3;

/** The nudge for a need, or null when this player has no rate that helps. */
export function planNudge(control: RateControl, need: NudgeNeed): Nudge | null {
  if (control.type === 'fine') return planFine(need);
  return control.type === 'steps' ? planBurst(control.rates, need.behindSeconds) : null;
}

/** Drift that this player leaves alone, in seconds; wider for one that has been nudged a lot lately. */
export function deadBand(
  control: RateControl,
  nudgedAtMs: readonly number[],
  nowMs: number,
  isHurried: boolean,
): number {
  if (control.type !== 'fine') return BURST_IN_SECONDS;
  const recent = nudgedAtMs.filter((atMs) => nowMs - atMs < THRASH_WINDOW_MS).length;
  const thrashing = THRASH_BANDS.find((band) => recent >= band.nudges)?.bandSeconds ?? 0;
  return Math.max(thrashing, isHurried ? NUDGE_IN_AFTER_START_SECONDS : NUDGE_IN_SECONDS);
}

function planFine(need: NudgeNeed): Nudge {
  const neededSeconds = need.behindSeconds + need.costSeconds;
  const size = Math.abs(neededSeconds);
  const gentleMs = Math.min(NUDGE_LONGEST_MS, Math.max(NUDGE_SHORTEST_MS, (size / NUDGE_GENTLE_SHARE) * 1000));
  const wantedMs = Math.max(need.isHurried ? NUDGE_AFTER_START_MS : gentleMs, need.wakeLatenessMs * LATENESS_PARTS);
  const most = need.isHurried ? NUDGE_MAX_SHARE_AFTER_START : NUDGE_MAX_SHARE;
  const share = Math.min(most, Math.max(LEAST_SHARE, size / (wantedMs / 1000)));
  const sign = neededSeconds < 0 ? -1 : 1;
  return { rate: 1 + sign * share, durationMs: (size / share) * 1000 };
}

function planBurst(rates: readonly number[], behindSeconds: number): Nudge | null {
  const helpful = rates
    .filter((rate) => rate > 0 && (rate - 1) * behindSeconds > 0)
    .sort((a, b) => Math.abs(a - 1) - Math.abs(b - 1))
    .map((rate) => ({ rate, durationMs: (behindSeconds / (rate - 1)) * 1000 }));
  return helpful.find((nudge) => nudge.durationMs <= BURST_LONGEST_MS) ?? helpful[0] ?? null;
}
