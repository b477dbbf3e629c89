/**
 * A nudge that is under way: looks how far it has got, moves its end accordingly, and returns to rate 1 when the player
 * is expected to be on the timeline.
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
import { expected } from './learned.ts';
import { planFor } from './nudge.ts';
import { nudgeHarmSeconds, nudgeOutSeconds, settleFineMs, usualTickMs } from '../timings.ts';

type Nudging = Extract<FollowerMode, { status: 'nudging' }>;

/** Readings that together tell where a nudge has got to. */
const fineReadings = 3;
const coarseReadings = 7;
/** A rate that reads back this wrongly was refused. */
const rateMismatch = 0.0005;
const nudgeTickMs = 100;
/** What takes this many times as long as a nudge may be planned for was planned wrongly. */
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
  const lagSeconds = Math.min(expected(state.learned, input.capabilities).rateSeconds, (nowMs - mode.sinceMs) / 1000);
  // As long as the rate took to show, it will go on after it was told to end.
  const remainingSeconds = behind - share * lagSeconds;
  const isDone = remainingSeconds * share <= Math.abs(share) * (isFine(input) ? nudgeOutSeconds / 4 : 0);
  // It was planned from a look that was wrong, as the first ones of a clock in steps are.
  const { longestMs, mostShare } = planFor(nowMs < state.hurryUntilMs);
  const remainingMs = (remainingSeconds / share) * 1000;
  const isTooSlow =
    isFine(input) && Math.abs(share) < mostShare - rateMismatch && remainingMs > tooSlowTimes * longestMs;
  const isHarmful = isFine(input) && Math.abs(behind) > Math.abs(mode.fromSeconds) + nudgeHarmSeconds;
  // Not all of it may show yet: what is left then is for the next one.
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

/** Back to rate 1 and to looking; this says nothing about whether nudges help. */
function planAnew(state: FollowerState, input: FollowInput): FollowDecision {
  const watching = watch(input, { after: 'nothing', sinceMs: input.nowMs });
  const settled = { ...watching, trustFromMs: input.nowMs + settleFineMs };
  return enter(state, settled, nudgeTickMs, [{ type: 'set-rate', rate: 1 }]);
}
