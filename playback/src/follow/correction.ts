/**
 * Corrects a playing player in three steps: nothing inside the dead band, then a rate nudge, then a seek as a last
 * resort. Takes several readings before acting, and waits for each action to settle before judging it.
 */
import {
  burstInSeconds,
  burstLongestMs,
  calmNudge,
  fastTickMs,
  hurriedNudge,
  hurryMs,
  jumpSeekSeconds,
  landingPatienceMs,
  nudgeFailedSeconds,
  nudgeFailedShare,
  nudgeFailures,
  nudgeHarmSeconds,
  nudgeInSeconds,
  nudgeOutSeconds,
  type NudgePlan,
  nudgeRestMs,
  seekQuietMs,
  seekRefractoryMaxMs,
  seekRefractoryMs,
  settleCoarseMs,
  settleFineMs,
  usualTickMs,
} from '../timings.ts';
import {
  behindSeconds,
  enter,
  type FollowDecision,
  type FollowerMode,
  type FollowerState,
  type FollowInput,
  hasGivenUp,
  type Landing,
  type Reading,
  restoreRate,
  smoothed,
  withReading,
} from './follower-state.ts';
import { expected, learn } from './learned.ts';
import type { RateControl } from './player.ts';

export type Watching = Extract<FollowerMode, { status: 'watching' }>;

/** Readings needed for a decision; a coarse clock needs more. */
const fineReadings = 3;
const coarseReadings = 5;
/** A nudge at least this far off rate 1 shows how late a rate takes effect. */
const tellingShare = 0.02;
/** Coarse readings closer together than this would repeat one message of the player. */
const coarseTickMs = 150;

/** Starts observing a player that has just started, landed, or ended a nudge. */
export function watch(input: FollowInput, landing: Landing): Watching {
  const settleMs = isFine(input) ? settleFineMs : settleCoarseMs;
  const trustFromMs = landing.after === 'nothing' ? input.nowMs : input.nowMs + settleMs;
  return { status: 'watching', readings: [], trustFromMs, landing };
}

/** Decides for a playing player under a timeline that has started. */
export function correct(state: FollowerState, mode: Watching, input: FollowInput): FollowDecision {
  const tickMs = isFine(input) ? fastTickMs : coarseTickMs;
  if (input.nowMs < mode.trustFromMs) return enter(state, mode, Math.min(tickMs, mode.trustFromMs - input.nowMs));
  if (input.player.rate !== 1) {
    return enter(state, watch(input, { after: 'nothing', sinceMs: input.nowMs }), tickMs, restoreRate(input));
  }
  const needed = isFine(input) ? fineReadings : coarseReadings;
  const reading = { atMs: input.nowMs, behindSeconds: behindSeconds(input) };
  const readings = withReading(mode.readings, reading, needed);
  const watching: Watching = { ...mode, readings };
  const isObvious =
    state.mayJump && mode.landing.after === 'nothing' && isSeekWorthwhile(state, input, reading.behindSeconds);
  if (readings.length < needed && !isObvious && !isGross(input, readings)) return enter(state, watching, tickMs);
  const behind = isObvious ? reading.behindSeconds : smoothed(readings, input.nowMs);
  return judge(learnFrom(state, mode.landing, input, behind), watching, input, behind);
}

function judge(state: FollowerState, watching: Watching, input: FollowInput, behind: number): FollowDecision {
  if (shouldSeek(state, input, behind)) return seekToTimeline(state, input);
  const control = hasGivenUp(state, input.nowMs) ? ({ type: 'none' } as const) : input.capabilities.rateControl;
  const isHurried = input.nowMs < state.hurryUntilMs;
  if (Math.abs(behind) > deadBand(control)) {
    const nudge = planNudge(control, { behindSeconds: behind, isHurried, wakeLatenessMs: input.wakeLatenessMs });
    if (nudge !== null) return beginNudge(state, input, behind, nudge.rate, nudge.durationMs);
  }
  const settled: Watching = { ...watching, landing: { after: 'nothing', sinceMs: input.nowMs } };
  // A seek that is only delayed by the pause between seeks stays allowed.
  const mayJump = state.mayJump && isSeekWorthwhile(state, input, behind);
  return enter({ ...state, mayJump }, settled, usualTickMs);
}

/** Seeks to where the timeline will be when the seek lands. */
export function seekToTimeline(state: FollowerState, input: FollowInput): FollowDecision {
  const { seekSeconds } = expected(state.learned, input.capabilities);
  const target = Math.max(0, input.player.positionSeconds + behindSeconds(input) + seekSeconds);
  const landing = { after: 'seek', sinceMs: input.nowMs, expectedBehindSeconds: 0 } as const;
  return enter(rememberSeek(state, input), watch(input, landing), fastTickMs, [
    ...restoreRate(input),
    { type: 'seek', positionSeconds: target },
  ]);
}

function beginNudge(
  state: FollowerState,
  input: FollowInput,
  behind: number,
  rate: number,
  durationMs: number,
): FollowDecision {
  const { nowMs } = input;
  const trustFromMs = nowMs + (isFine(input) ? settleFineMs : settleCoarseMs);
  const mayJump = state.mayJump && isSeekWorthwhile(state, input, behind);
  const endAtMs = nowMs + durationMs;
  const latestEndMs = endAtMs + durationMs / 2 + settleFineMs;
  return enter(
    { ...state, mayJump },
    { status: 'nudging', rate, sinceMs: nowMs, endAtMs, latestEndMs, trustFromMs, readings: [], fromSeconds: behind },
    Math.min(durationMs, isFine(input) ? settleFineMs : coarseTickMs),
    [{ type: 'set-rate', rate }],
  );
}

const figures = { seek: 'seekSeconds', start: 'startSeconds', resume: 'resumeSeconds' } as const;

/** Updates the learned latencies and the verdict on nudges from the readings after a landing. Once per landing. */
function learnFrom(state: FollowerState, landing: Landing, input: FollowInput, behind: number): FollowerState {
  const isSlow = input.nowMs - landing.sinceMs > landingPatienceMs;
  if (isSlow || Math.abs(behind) > 1) return state;
  if (landing.after === 'nothing') return state;
  const { capabilities } = input;
  const now = expected(state.learned, capabilities);
  if (landing.after === 'nudge') {
    if (!isFine(input)) return state;
    const judged = judgeNudge(state, input.nowMs, Math.abs(landing.fromSeconds), Math.abs(behind));
    const share = landing.rate - 1;
    // With a smaller one the reading's error would exceed the latency.
    if (Math.abs(share) < tellingShare) return judged;
    return { ...judged, learned: learn(state.learned, capabilities, 'rateSeconds', now.rateSeconds - behind / share) };
  }
  const figure = figures[landing.after];
  const observed = now[figure] + behind - landing.expectedBehindSeconds;
  return { ...state, learned: learn(state.learned, capabilities, figure, observed) };
}

/**
 * Counts failed nudges. After too many the player is not nudged for a while, and one seek may undo the last one's
 * effect. Then a single nudge tries again: what looked like harm may have been a busy machine.
 */
function judgeNudge(state: FollowerState, nowMs: number, beforeSeconds: number, afterSeconds: number): FollowerState {
  const hasFailed = afterSeconds > Math.max(beforeSeconds * nudgeFailedShare, nudgeFailedSeconds);
  const isHarmful = afterSeconds > beforeSeconds + nudgeHarmSeconds;
  const failedNudges = isHarmful ? nudgeFailures : hasFailed ? state.failedNudges + 1 : 0;
  if (failedNudges < nudgeFailures) return { ...state, failedNudges };
  return { ...state, failedNudges: nudgeFailures - 1, noNudgesUntilMs: nowMs + nudgeRestMs, mayJump: true };
}

/** Whether to seek, the last resort: the drift is large enough, a seek is allowed, and the target is loaded. */
export function shouldSeek(state: FollowerState, input: FollowInput, behind: number): boolean {
  return isSeekWorthwhile(state, input, behind) && isSeekAllowed(state, input, behind) && isReachable(input, behind);
}

function isSeekWorthwhile(state: FollowerState, input: FollowInput, behind: number): boolean {
  if (!isFine(input)) return Math.abs(behind) > input.seekToleranceSeconds;
  return Math.abs(behind) > (hasGivenUp(state, input.nowMs) && state.mayJump ? nudgeHarmSeconds : jumpSeekSeconds);
}

/** Two readings suffice for a drift larger than any error of a reading. */
function isGross(input: FollowInput, readings: readonly Reading[]): boolean {
  const sureSeconds = burstInSeconds + input.capabilities.clockCoarsenessSeconds * 4;
  return readings.length >= 2 && readings.every((reading) => Math.abs(reading.behindSeconds) > sureSeconds);
}

/** Inside the tolerance, a seek to data that is not loaded yet would only stall again. */
function isReachable(input: FollowInput, behind: number): boolean {
  const { bufferedUntilSeconds, positionSeconds } = input.player;
  if (bufferedUntilSeconds === null || Math.abs(behind) > input.seekToleranceSeconds) return true;
  return positionSeconds + behind + jumpSeekSeconds < bufferedUntilSeconds;
}

/** Whether this player has fine rates; only such players report a trustworthy position at once. */
export function isFine(input: FollowInput): boolean {
  return input.capabilities.rateControl.type === 'fine';
}

// Planning a nudge: short and inaudible on a player with fine rates; a burst at the nearest step on a coarse one.

interface Nudge {
  readonly rate: number;
  readonly durationMs: number;
}

/** `behindSeconds` is negative when ahead. */
interface NudgeNeed {
  readonly behindSeconds: number;
  /** Shortly after a start or a seek: quicker and stronger. */
  readonly isHurried: boolean;
  /** How late the timer that ends the nudge may fire. */
  readonly wakeLatenessMs: number;
}

/** Measured: for rates within 0.11 % of 1 Chromium plays at 1 but reports the rate. */
const leastShare = 0.002;
/** A late timer may cost at most this part of the nudge. */
const latenessParts = 3;

/** The nudge for a drift, or null when no rate of this player helps. */
export function planNudge(control: RateControl, need: NudgeNeed): Nudge | null {
  if (control.type === 'fine') return planFine(need);
  return control.type === 'steps' ? planBurst(control.rates, need.behindSeconds) : null;
}

/** The drift that is not corrected, in seconds. */
export function deadBand(control: RateControl): number {
  return control.type === 'fine' ? nudgeInSeconds : burstInSeconds;
}

const planFor = (isHurried: boolean): NudgePlan => (isHurried ? hurriedNudge : calmNudge);

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

// During a nudge each look updates its end, from the drift that remains.

type Nudging = Extract<FollowerMode, { status: 'nudging' }>;

/** Readings needed to know the drift during a nudge. */
const fineNudgeReadings = 3;
const coarseNudgeReadings = 7;
/** The player refused a rate if it reads back differently by more than this. */
const rateMismatch = 0.0005;
const nudgeTickMs = 100;
/** A nudge that needs this many times its longest planned duration was planned wrongly. */
const tooSlowTimes = 2;

export function continueNudge(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  const { nowMs } = input;
  if (nowMs < mode.trustFromMs) {
    // A short nudge may end before its first trusted reading.
    return nowMs >= mode.endAtMs ? endNudge(state, mode, input) : wait(state, mode, input);
  }
  const isRefused = Math.abs(input.player.rate - mode.rate) > rateMismatch;
  if (isRefused) return endNudge({ ...state, refusesRates: true }, mode, input);

  const share = mode.rate - 1;
  const keep = isFine(input) ? fineNudgeReadings : coarseNudgeReadings;
  const readings = withReading(mode.readings, { atMs: nowMs, behindSeconds: behindSeconds(input) }, keep);
  const behind = smoothed(readings, nowMs, share);
  const lagSeconds = Math.min(expected(state.learned, input.capabilities).rateSeconds, (nowMs - mode.sinceMs) / 1000);
  // After the end command the rate lasts for as long as it took to show.
  const remainingSeconds = behind - share * lagSeconds;
  const isDone = remainingSeconds * share <= Math.abs(share) * (isFine(input) ? nudgeOutSeconds / 4 : 0);
  // A nudge planned from a wrong reading, as the first ones of a stepped clock are.
  const { longestMs, mostShare } = planFor(nowMs < state.hurryUntilMs);
  const remainingMs = (remainingSeconds / share) * 1000;
  const isTooSlow =
    isFine(input) && Math.abs(share) < mostShare - rateMismatch && remainingMs > tooSlowTimes * longestMs;
  const isHarmful = isFine(input) && Math.abs(behind) > Math.abs(mode.fromSeconds) + nudgeHarmSeconds;
  // The rest may not show yet; the next nudge corrects it.
  const isOverdue = isFine(input) && nowMs >= mode.latestEndMs;
  if (isDone || isHarmful || isOverdue) return endNudge(state, mode, input);
  if (isTooSlow) return planAnew(state, input);
  return wait(state, { ...mode, readings, endAtMs: nowMs + remainingMs }, input);
}

function wait(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  return enter(state, mode, Math.min(mode.endAtMs - input.nowMs, nudgeTickMs, usualTickMs));
}

function endNudge(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  const { rate, fromSeconds } = mode;
  const landing = { after: 'nudge', sinceMs: input.nowMs, rate, fromSeconds } as const;
  return enter(state, watch(input, landing), nudgeTickMs, [{ type: 'set-rate', rate: 1 }]);
}

/** Returns to rate 1 and to observing, without a verdict on whether nudges help. */
function planAnew(state: FollowerState, input: FollowInput): FollowDecision {
  const watching = watch(input, { after: 'nothing', sinceMs: input.nowMs });
  const settled = { ...watching, trustFromMs: input.nowMs + settleFineMs };
  return enter(state, settled, nudgeTickMs, [{ type: 'set-rate', rate: 1 }]);
}

// Corrective seeks: always beyond the room's tolerance, with growing pauses between them. Inside the tolerance only on
// a player with fine rates: once after a start, a jump or a stall, and rarely where nudges do not help.

/** Whether a player with this drift may seek. */
export function isSeekAllowed(state: FollowerState, input: FollowInput, offSeconds: number): boolean {
  const { lastSeek } = state;
  if (lastSeek !== null && input.nowMs - lastSeek.atMs < lastSeek.refractoryMs) return false;
  if (Math.abs(offSeconds) > input.seekToleranceSeconds) return true;
  const isLastResort =
    hasGivenUp(state, input.nowMs) && (lastSeek === null || input.nowMs - lastSeek.atMs > seekQuietMs);
  return (state.mayJump || isLastResort) && input.capabilities.rateControl.type === 'fine';
}

/** Records a corrective seek; uses up the one free seek. */
export function rememberSeek(state: FollowerState, input: FollowInput): FollowerState {
  const { lastSeek } = state;
  const isQuiet = lastSeek === null || input.nowMs - lastSeek.atMs > seekQuietMs;
  const refractoryMs = isQuiet ? seekRefractoryMs : Math.min(seekRefractoryMaxMs, lastSeek.refractoryMs * 2);
  const hurryUntilMs = input.nowMs + hurryMs;
  return { ...state, mayJump: false, hurryUntilMs, lastSeek: { atMs: input.nowMs, refractoryMs } };
}
