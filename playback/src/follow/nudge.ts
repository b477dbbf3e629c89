/**
 * Chooses the rate of a nudge and how long it lasts. Few, short and inaudible on a player with fine rates; a burst at
 * the nearest step on one with coarse rates.
 */
import type { RateControl } from './player.ts';
import { burstInSeconds, burstLongestMs, calmNudge, hurriedNudge, nudgeInSeconds, type NudgePlan } from '../timings.ts';

/** A rate and how long to keep it. */
export interface Nudge {
  readonly rate: number;
  readonly durationMs: number;
}

/** What a nudge is planned from. Seconds behind; negative when ahead. */
export interface NudgeNeed {
  readonly behindSeconds: number;
  /** Shortly after a start or a seek: quicker and stronger. */
  readonly isHurried: boolean;
  /** How late the timer that ends the nudge may be. */
  readonly wakeLatenessMs: number;
}

/** Measured: nearer to 1 than 0.11 % Chromium plays at 1 and counts the rate all the same. */
const leastShare = 0.002;
/** A timer that is late may cost at most this part of the nudge. */
const latenessParts = 3;

/** The nudge for a need, or null when this player has no rate that helps. */
export function planNudge(control: RateControl, need: NudgeNeed): Nudge | null {
  if (control.type === 'fine') return planFine(need);
  return control.type === 'steps' ? planBurst(control.rates, need.behindSeconds) : null;
}

/** Drift that this player leaves alone, in seconds. */
export function deadBand(control: RateControl): number {
  return control.type === 'fine' ? nudgeInSeconds : burstInSeconds;
}

/** The plan of a fine player's nudges. */
export const planFor = (isHurried: boolean): NudgePlan => (isHurried ? hurriedNudge : calmNudge);

function planFine({ behindSeconds, isHurried, wakeLatenessMs }: NudgeNeed): Nudge {
  const { usualMs, usualShare, longestMs, mostShare } = planFor(isHurried);
  const size = Math.abs(behindSeconds);
  const shareWithin = (ms: number, most: number): number =>
    Math.min(most, size / (Math.max(ms, wakeLatenessMs * latenessParts) / 1000));
  const share = Math.max(leastShare, shareWithin(usualMs, usualShare), shareWithin(longestMs, mostShare));
  return { rate: 1 + (behindSeconds < 0 ? -share : share), durationMs: (size / share) * 1000 };
}

function planBurst(rates: readonly number[], behindSeconds: number): Nudge | null {
  const helpful = rates
    .filter((rate) => rate > 0 && (rate - 1) * behindSeconds > 0)
    .sort((a, b) => Math.abs(a - 1) - Math.abs(b - 1))
    .map((rate) => ({ rate, durationMs: (behindSeconds / (rate - 1)) * 1000 }));
  return helpful.find((nudge) => nudge.durationMs <= burstLongestMs) ?? helpful[0] ?? null;
}
