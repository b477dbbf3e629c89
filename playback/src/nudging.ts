/**
 * A nudge that is under way: measures what leaving rate 1 really cost, moves the end accordingly, and returns to
 * rate 1 at the moment from which the player is expected to land on the timeline.
 */
import { isFine, watch } from './correction.ts';
import { behindSeconds, smoothed, withReading } from './drift.ts';
import {
  type FollowDecision,
  type FollowInput,
  type FollowerMode,
  type FollowerState,
  enter,
} from './follower-state.ts';
import { expected, learn } from './learned.ts';
import { isCostless } from './nudge.ts';
import {
  costlessLongestAfterStartMs,
  costlessLongestMs,
  nudgeHarmSeconds,
  nudgeOutSeconds,
  settleFineMs,
  usualTickMs,
} from './timings.ts';

type Nudging = Extract<FollowerMode, { status: 'nudging' }>;

/** Readings that together tell where a nudge has got to. */
const fineReadings = 3;
const coarseReadings = 7;
/** A rate that reads back this wrongly was refused. */
const rateMismatch = 0.0005;
const nudgeTickMs = 100;
/** What takes this many times as long as a slight nudge may be planned for was planned wrongly. */
const tooSlowTimes = 2;

/** Decides for a player that is being nudged. */
export function continueNudge(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  const { nowMs } = input;
  if (nowMs < mode.trustFromMs) {
    // A short nudge may end before its first trusted reading.
    return nowMs >= mode.endAtMs ? endNudge(state, mode, input) : wait(state, mode, input);
  }
  const isRefused = Math.abs(input.player.rate - mode.rate) > rateMismatch;
  if (isRefused) return endNudge({ ...state, refusesRates: true }, mode, input);

  const share = mode.rate - 1;
  const keep = isFine(input) ? fineReadings : coarseReadings;
  const readings = withReading(mode.readings, { atMs: nowMs, behindSeconds: behindSeconds(input) }, keep);
  const behind = smoothed(readings, nowMs, share);
  const isCounted = isFine(input) && !isCostless(mode.rate);
  const learned = mode.readings.length === 0 && isCounted ? learnLoss(state, mode, input, behind) : state.learned;
  const returnLossSeconds = isCounted ? expected(state.learned, input.capabilities).returnLossSeconds : 0;
  const remainingSeconds = behind + returnLossSeconds;
  const isDone = remainingSeconds * share <= Math.abs(share) * (isFine(input) ? nudgeOutSeconds / 4 : 0);
  // It was planned from a look that was wrong, as the first ones of a clock in steps are.
  const isSlight = isFine(input) && isCostless(mode.rate);
  const isTooSlow = isSlight && (remainingSeconds / share) * 1000 > tooSlowTimes * longestMs(state, nowMs);
  const isHarmful = isFine(input) && Math.abs(behind) > Math.abs(mode.fromSeconds) + nudgeHarmSeconds;
  if (isDone || isHarmful) return endNudge({ ...state, learned }, mode, input);
  if (isTooSlow) return planAnew(state, input);
  const endAtMs = nowMs + (remainingSeconds / share) * 1000;
  return wait({ ...state, learned }, { ...mode, readings, endAtMs }, input);
}

const longestMs = ({ hurryUntilMs }: FollowerState, nowMs: number): number =>
  nowMs < hurryUntilMs ? costlessLongestAfterStartMs : costlessLongestMs;

function wait(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  return enter(state, mode, Math.min(mode.endAtMs - input.nowMs, nudgeTickMs, usualTickMs));
}

function endNudge(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  const { rate, fromSeconds } = mode;
  const landing = { after: 'nudge', sinceMs: input.nowMs, rate, fromSeconds } as const;
  return enter(state, watch(input, landing), nudgeTickMs, [{ type: 'set-rate', rate: 1 }]);
}

/** Back to rate 1 and to looking; this says nothing about whether nudges help. */
function planAnew(state: FollowerState, input: FollowInput): FollowDecision {
  const watching = watch(input, { after: 'nothing', sinceMs: input.nowMs });
  const settled = { ...watching, trustFromMs: input.nowMs + settleFineMs };
  return enter(state, settled, nudgeTickMs, [{ type: 'set-rate', rate: 1 }]);
}

function learnLoss(state: FollowerState, mode: Nudging, input: FollowInput, behind: number): FollowerState['learned'] {
  const gainedSeconds = ((mode.rate - 1) * (input.nowMs - mode.sinceMs)) / 1000;
  return learn(state.learned, input.capabilities, 'leaveLossSeconds', behind - mode.fromSeconds + gainedSeconds);
}
