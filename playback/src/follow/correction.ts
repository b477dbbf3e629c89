/**
 * The correction ladder of a playing player: leave it alone inside the dead band, nudge its rate, and seek only as a
 * last resort. Watches several readings before acting, and waits for each action to settle before judging it.
 */
import { behindSeconds, smoothed, withReading } from './drift.ts';
import {
  type FollowDecision,
  type FollowInput,
  type FollowerMode,
  type FollowerState,
  type Landing,
  type Reading,
  enter,
  hasGivenUp,
  restoreRate,
} from './follower-state.ts';
import { expected, learn } from './learned.ts';
import { deadBand, planNudge } from './nudge.ts';
import { isSeekAllowed, rememberSeek } from './seek-budget.ts';
import {
  burstInSeconds,
  fastTickMs,
  jumpSeekSeconds,
  landingPatienceMs,
  nudgeFailedSeconds,
  nudgeFailedShare,
  nudgeFailures,
  nudgeRestMs,
  nudgeHarmSeconds,
  settleCoarseMs,
  settleFineMs,
  usualTickMs,
} from '../timings.ts';

/** Playing at rate 1, under observation. */
export type Watching = Extract<FollowerMode, { status: 'watching' }>;

/** Readings that make a judgement: a coarse clock needs more of them. */
const fineReadings = 3;
const coarseReadings = 5;
/** A nudge at least this far off rate 1 tells how late a rate takes effect. */
const tellingShare = 0.02;
/** Coarse readings closer together than this would repeat one message of the player. */
const coarseTickMs = 150;

/** Begins to watch a player that has just started, landed, or come back from a nudge. */
export function watch(input: FollowInput, landing: Landing): Watching {
  const settleMs = isFine(input) ? settleFineMs : settleCoarseMs;
  const trustFromMs = landing.after === 'nothing' ? input.nowMs : input.nowMs + settleMs;
  return { status: 'watching', readings: [], trustFromMs, landing };
}

/** Decides for a player that is playing under a timeline that has started. */
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

/** Moves the player to where the timeline will be when the seek has landed. */
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

/** What the readings after a landing teach about seeks, starts and nudges. Learns once per landing. */
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
    // After a slighter one an error of the reading would count for more than what is to be learned.
    if (Math.abs(share) < tellingShare) return judged;
    return { ...judged, learned: learn(state.learned, capabilities, 'rateSeconds', now.rateSeconds - behind / share) };
  }
  const figure = figures[landing.after];
  const observed = now[figure] + behind - landing.expectedBehindSeconds;
  return { ...state, learned: learn(state.learned, capabilities, figure, observed) };
}

/**
 * Counts the nudges that did not help. Too many and the player is left alone for a while, sought back once from what the
 * last one did. Then a single nudge tries again: what looked like harm may have been a busy machine.
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

/** Two readings suffice for a drift that is larger than any error of a reading. */
function isGross(input: FollowInput, readings: readonly Reading[]): boolean {
  const sureSeconds = burstInSeconds + input.capabilities.clockCoarsenessSeconds * 4;
  return readings.length >= 2 && readings.every((reading) => Math.abs(reading.behindSeconds) > sureSeconds);
}

/** Inside the tolerance a seek into what is not loaded yet would only stall again. */
function isReachable(input: FollowInput, behind: number): boolean {
  const { bufferedUntilSeconds, positionSeconds } = input.player;
  if (bufferedUntilSeconds === null || Math.abs(behind) > input.seekToleranceSeconds) return true;
  return positionSeconds + behind + jumpSeekSeconds < bufferedUntilSeconds;
}

/** Whether this player's rates are fine, which is also what makes its position trustworthy at once. */
export function isFine(input: FollowInput): boolean {
  return input.capabilities.rateControl.type === 'fine';
}
