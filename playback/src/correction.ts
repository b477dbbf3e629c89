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
  restoreRate,
} from './follower-state.ts';
import { expected, learn } from './learned.ts';
import { deadBand, planNudge } from './nudge.ts';
import { isSeekAllowed, rememberSeek } from './seek-budget.ts';
import {
  BURST_IN_SECONDS,
  FAST_TICK_MS,
  JUMP_SEEK_SECONDS,
  LANDING_PATIENCE_MS,
  NUDGE_IN_SECONDS,
  SETTLE_COARSE_MS,
  SETTLE_FINE_MS,
  THRASH_WINDOW_MS,
  TICK_MS,
} from './timings.ts';

/** Playing at rate 1, under observation. */
export type Watching = Extract<FollowerMode, { status: 'watching' }>;

/** Readings that make a judgement: a coarse clock needs more of them. */
const FINE_READINGS = 3;
const COARSE_READINGS = 5;
/** Coarse readings closer together than this would repeat one message of the player. */
const COARSE_TICK_MS = 150;

/** Begins to watch a player that has just started, landed, or come back from a nudge. */
export function watch(input: FollowInput, landing: Landing): Watching {
  const settleMs = isFine(input) ? SETTLE_FINE_MS : SETTLE_COARSE_MS;
  const trustFromMs = landing.after === 'nothing' ? input.nowMs : input.nowMs + settleMs;
  return { status: 'watching', readings: [], trustFromMs, landing };
}

/** Decides for a player that is playing under a timeline that has started. */
export function correct(state: FollowerState, mode: Watching, input: FollowInput): FollowDecision {
  const tickMs = isFine(input) ? FAST_TICK_MS : COARSE_TICK_MS;
  if (input.nowMs < mode.trustFromMs) return enter(state, mode, Math.min(tickMs, mode.trustFromMs - input.nowMs));
  if (input.player.rate !== 1) {
    return enter(state, watch(input, { after: 'nudge', sinceMs: input.nowMs }), tickMs, restoreRate(input));
  }
  const needed = isFine(input) ? FINE_READINGS : COARSE_READINGS;
  const reading = { atMs: input.nowMs, behindSeconds: behindSeconds(input) };
  const readings = withReading(mode.readings, reading, needed);
  const watching: Watching = { ...mode, readings };
  const isObvious = state.mayJump && mode.landing.after === 'nothing' && isSeekWorthwhile(input, reading.behindSeconds);
  if (readings.length < needed && !isObvious && !isGross(input, readings)) return enter(state, watching, tickMs);
  const behind = isObvious ? reading.behindSeconds : smoothed(readings, input.nowMs);
  return judge(learnFrom(state, mode.landing, input, behind), watching, input, behind);
}

function judge(state: FollowerState, watching: Watching, input: FollowInput, behind: number): FollowDecision {
  if (shouldSeek(state, input, behind)) return seekToTimeline(state, input);
  const control = state.refusesRates ? ({ type: 'none' } as const) : input.capabilities.rateControl;
  const isHurried = input.nowMs < state.hurryUntilMs;
  if (Math.abs(behind) > deadBand(control, state.nudgedAtMs, input.nowMs, isHurried)) {
    const { leaveLossSeconds, returnLossSeconds } = expected(state.learned, input.capabilities);
    const nudge = planNudge(control, {
      behindSeconds: behind,
      costSeconds: leaveLossSeconds + returnLossSeconds,
      isHurried,
      wakeLatenessMs: input.wakeLatenessMs,
    });
    if (nudge !== null) return beginNudge(state, input, behind, nudge.rate, nudge.durationMs);
  }
  const settled: Watching = { ...watching, landing: { after: 'nothing', sinceMs: input.nowMs } };
  return enter({ ...state, mayJump: false }, settled, TICK_MS);
}

/** Moves the player to where the timeline will be when the seek has landed. */
export function seekToTimeline(state: FollowerState, input: FollowInput): FollowDecision {
  const { seekSeconds } = expected(state.learned, input.capabilities);
  const target = Math.max(0, input.player.positionSeconds + behindSeconds(input) + seekSeconds);
  const landing = { after: 'seek', sinceMs: input.nowMs, expectedBehindSeconds: 0 } as const;
  return enter(rememberSeek(state, input), watch(input, landing), FAST_TICK_MS, [
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
  const recent = state.nudgedAtMs.filter((atMs) => nowMs - atMs < THRASH_WINDOW_MS);
  const trustFromMs = nowMs + (isFine(input) ? SETTLE_FINE_MS : SETTLE_COARSE_MS);
  // A seek that only has to wait its turn is still owed.
  const mayJump = state.mayJump && isSeekWorthwhile(input, behind);
  const next = { ...state, mayJump, nudgedAtMs: [...recent, nowMs] };
  const endAtMs = nowMs + durationMs;
  return enter(
    next,
    { status: 'nudging', rate, sinceMs: nowMs, endAtMs, trustFromMs, readings: [], fromSeconds: behind },
    Math.min(durationMs, isFine(input) ? SETTLE_FINE_MS : COARSE_TICK_MS),
    [{ type: 'set-rate', rate }],
  );
}

const FIGURES = { seek: 'seekSeconds', start: 'startSeconds', resume: 'resumeSeconds' } as const;

/** What the readings after a landing teach about seeks, starts and returns to rate 1. Learns once per landing. */
function learnFrom(state: FollowerState, landing: Landing, input: FollowInput, behind: number): FollowerState {
  const isSlow = input.nowMs - landing.sinceMs > LANDING_PATIENCE_MS;
  if (isSlow || Math.abs(behind) > 1) return state;
  const { capabilities } = input;
  const now = expected(state.learned, capabilities);
  if (landing.after === 'nudge') {
    const isOwnCost = isFine(input) && Math.abs(behind) < NUDGE_IN_SECONDS * 6;
    const observed = now.returnLossSeconds + behind;
    return isOwnCost ? { ...state, learned: learn(state.learned, capabilities, 'returnLossSeconds', observed) } : state;
  }
  if (landing.after === 'nothing') return state;
  const figure = FIGURES[landing.after];
  const observed = now[figure] + behind - landing.expectedBehindSeconds;
  return { ...state, learned: learn(state.learned, capabilities, figure, observed) };
}

/** The last rung of the ladder: worth it, allowed, and not into what would only stall again. */
export function shouldSeek(state: FollowerState, input: FollowInput, behind: number): boolean {
  return isSeekWorthwhile(input, behind) && isSeekAllowed(state, input, behind) && isReachable(input, behind);
}

function isSeekWorthwhile(input: FollowInput, behind: number): boolean {
  return Math.abs(behind) > (isFine(input) ? JUMP_SEEK_SECONDS : input.seekToleranceSeconds);
}

/** Two readings suffice for a drift that no error of theirs could explain. */
function isGross(input: FollowInput, readings: readonly Reading[]): boolean {
  const sureSeconds = BURST_IN_SECONDS + input.capabilities.clockCoarsenessSeconds * 4;
  return readings.length >= 2 && readings.every((reading) => Math.abs(reading.behindSeconds) > sureSeconds);
}

/** Inside the tolerance a seek into what is not loaded yet would only stall again. */
function isReachable(input: FollowInput, behind: number): boolean {
  const { bufferedUntilSeconds, positionSeconds } = input.player;
  if (bufferedUntilSeconds === null || Math.abs(behind) > input.seekToleranceSeconds) return true;
  return positionSeconds + behind + JUMP_SEEK_SECONDS < bufferedUntilSeconds;
}

/** Whether this player's rates are fine, which is also what makes its position trustworthy at once. */
export function isFine(input: FollowInput): boolean {
  return input.capabilities.rateControl.type === 'fine';
}
