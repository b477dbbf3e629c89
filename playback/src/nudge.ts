/**
 * Chooses the rate of a nudge and how long it lasts, for a drift and for what the rate changes themselves cost.
 * Few, short and inaudible on a player with fine rates; a burst at the nearest step on one with coarse rates.
 */
import type { RateControl } from './player.ts';
import {
  burstInSeconds,
  burstLongestMs,
  costlessLongestAfterStartMs,
  costlessLongestMs,
  costlessNudgeMs,
  costlessShare,
  nudgeAfterStartMs,
  nudgeGentleShare,
  nudgeInSeconds,
  nudgeLongestMs,
  nudgeMaxShare,
  nudgeMaxShareAfterStart,
  nudgeShortestMs,
} from './timings.ts';

/** A rate and how long to keep it. */
export interface Nudge {
  readonly rate: number;
  readonly durationMs: number;
}

/** What a nudge is planned from. Seconds behind; negative when ahead. */
export interface NudgeNeed {
  readonly behindSeconds: number;
  /** What leaving rate 1 and returning to it are expected to lose, together. */
  readonly costSeconds: number;
  /** Shortly after a start or a seek: quicker, and a little stronger. */
  readonly isHurried: boolean;
  /** How late the timer that ends the nudge may be. */
  readonly wakeLatenessMs: number;
}

/** Measured: nearer to 1 than 0.11 % Chromium plays at 1 and counts the rate all the same. */
const leastShare = 0.002;
/** A stronger nudge counts on losing what it loses beyond the costless rates. */
const leastStrongShare = costlessShare * 1.2;
/** A timer that is late may cost at most this part of the nudge. */
const latenessParts = 3;

/** The nudge for a need, or null when this player has no rate that helps. */
export function planNudge(control: RateControl, need: NudgeNeed): Nudge | null {
  if (control.type === 'fine') return planCostless(need) ?? planStrong(need);
  return control.type === 'steps' ? planBurst(control.rates, need.behindSeconds) : null;
}

/** Drift that this player leaves alone, in seconds. */
export function deadBand(control: RateControl): number {
  return control.type === 'fine' ? nudgeInSeconds : burstInSeconds;
}

/** Whether leaving rate 1 for this one, and returning, costs a player with fine rates nothing. */
export function isCostless(rate: number): boolean {
  return Math.abs(rate - 1) <= costlessShare + 1e-9;
}

/** A nudge so slight that it loses no sound, or null where one would take too long. */
function planCostless({ behindSeconds, isHurried, wakeLatenessMs }: NudgeNeed): Nudge | null {
  const size = Math.abs(behindSeconds);
  const longestMs = isHurried ? costlessLongestAfterStartMs : costlessLongestMs;
  if (size > (costlessShare * longestMs) / 1000) return null;
  const wantedMs = Math.max(costlessNudgeMs, wakeLatenessMs * latenessParts);
  const share = Math.min(costlessShare, Math.max(leastShare, size / (wantedMs / 1000)));
  return { rate: 1 + (behindSeconds < 0 ? -share : share), durationMs: (size / share) * 1000 };
}

function planStrong(need: NudgeNeed): Nudge {
  const neededSeconds = need.behindSeconds + need.costSeconds;
  const size = Math.abs(neededSeconds);
  const gentleMs = Math.min(nudgeLongestMs, Math.max(nudgeShortestMs, (size / nudgeGentleShare) * 1000));
  const wantedMs = Math.max(need.isHurried ? nudgeAfterStartMs : gentleMs, need.wakeLatenessMs * latenessParts);
  const most = need.isHurried ? nudgeMaxShareAfterStart : nudgeMaxShare;
  const share = Math.min(most, Math.max(leastStrongShare, size / (wantedMs / 1000)));
  const sign = neededSeconds < 0 ? -1 : 1;
  return { rate: 1 + sign * share, durationMs: (size / share) * 1000 };
}

function planBurst(rates: readonly number[], behindSeconds: number): Nudge | null {
  const helpful = rates
    .filter((rate) => rate > 0 && (rate - 1) * behindSeconds > 0)
    .sort((a, b) => Math.abs(a - 1) - Math.abs(b - 1))
    .map((rate) => ({ rate, durationMs: (behindSeconds / (rate - 1)) * 1000 }));
  return helpful.find((nudge) => nudge.durationMs <= burstLongestMs) ?? helpful[0] ?? null;
}
