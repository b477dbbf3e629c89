/**
 * Turns samples of players and the server's own timelines into figures: drift, spread, and how long each took to be in
 * step again. Pure; milliseconds unless named otherwise.
 */
import { percentile } from '@tunemate/testkit/percentile';
import { positionAt, type Timeline } from '@tunemate/playback';
import type { Sample } from './sync-sampler.ts';

/** In step: within this of the timeline, and for `stayMs`. */
export const inStepBoundMs = 20;
const stayMs = 500;
/** Samples of two pages this near to each other are compared. */
const sameMomentMs = 30;

/** A player's distance from the timeline, positive when ahead; null while it did not play. */
export interface Drift {
  readonly atMs: number;
  readonly driftMs: number | null;
}

/** The timeline in effect at a moment: the newest whose time has come. */
function inEffect(timelines: readonly Timeline[], atMs: number): Timeline | undefined {
  return timelines.findLast(({ atServerMs }) => atServerMs <= atMs);
}

/** `serverAheadMs` is how far the server's clock is ahead of the machine's. */
export function drifts(samples: readonly Sample[], timelines: readonly Timeline[], serverAheadMs: number): Drift[] {
  return samples.flatMap(({ atMs, positionSeconds }) => {
    const serverMs = atMs + serverAheadMs;
    const timeline = inEffect(timelines, serverMs);
    if (timeline === undefined || !timeline.isPlaying) return [];
    const driftMs = positionSeconds === null ? null : (positionSeconds - positionAt(timeline, serverMs)) * 1000;
    return [{ atMs, driftMs }];
  });
}

/** The samples of a stretch of time in which the player played. */
export function within(all: readonly Drift[], fromMs: number, untilMs: number): number[] {
  return all.flatMap(({ atMs, driftMs }) => (driftMs !== null && atMs >= fromMs && atMs < untilMs ? [driftMs] : []));
}

/** How far two players were apart over a stretch of time. */
export function spread(one: readonly Drift[], other: readonly Drift[], fromMs: number, untilMs: number): number[] {
  return one.flatMap(({ atMs, driftMs }) => {
    if (driftMs === null || atMs < fromMs || atMs >= untilMs) return [];
    const near = other.find((each) => Math.abs(each.atMs - atMs) < sameMomentMs);
    return near?.driftMs === null || near === undefined ? [] : [Math.abs(driftMs - near.driftMs)];
  });
}

/** How long after `fromMs` the player came within the bound and stayed; NaN when it did not before `untilMs`. */
export function convergence(all: readonly Drift[], fromMs: number, untilMs: number, boundMs = inStepBoundMs): number {
  let insideSinceMs: number | null = null;
  for (const { atMs, driftMs } of all) {
    if (atMs < fromMs || atMs >= untilMs) continue;
    if (driftMs === null || Math.abs(driftMs) > boundMs) insideSinceMs = null;
    else insideSinceMs ??= atMs;
    if (insideSinceMs !== null && atMs - insideSinceMs >= stayMs) return insideSinceMs - fromMs;
  }
  return Number.NaN;
}

/** The longest that a playing player stayed further off than `reachMs`. */
export function longestBeyond(all: readonly Drift[], reachMs: number): number {
  let longestMs = 0;
  let sinceMs: number | null = null;
  for (const { atMs, driftMs } of all) {
    if (driftMs === null || Math.abs(driftMs) <= reachMs) sinceMs = null;
    else sinceMs ??= atMs;
    if (sinceMs !== null) longestMs = Math.max(longestMs, atMs - sinceMs);
  }
  return longestMs;
}

/** When the player first stood still after `fromMs`, counted from it; NaN when it never did. */
export function silence(samples: readonly Sample[], fromMs: number): number {
  const still = samples.find(({ atMs, positionSeconds }) => atMs >= fromMs && positionSeconds === null);
  return still === undefined ? Number.NaN : still.atMs - fromMs;
}

/** The same figure of absolute distances. */
export function absolutePercentile(values: readonly number[], share: number): number {
  return percentile(values.map(Math.abs), share);
}
