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
import { NUDGE_OUT_SECONDS, TICK_MS } from './timings.ts';

type Nudging = Extract<FollowerMode, { status: 'nudging' }>;

/** Readings that together tell where a nudge has got to. */
const FINE_READINGS = 3;
const COARSE_READINGS = 7;
/** A rate that reads back this wrongly was refused. */
const RATE_MISMATCH = 0.0005;
const NUDGE_TICK_MS = 100;

/** Decides for a player that is being nudged. */
export function continueNudge(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  const { nowMs } = input;
  if (nowMs < mode.trustFromMs) {
    // A short nudge may end before its first trusted reading.
    return nowMs >= mode.endAtMs ? endNudge(state, input) : wait(state, mode, input);
  }
  const isRefused = Math.abs(input.player.rate - mode.rate) > RATE_MISMATCH;
  if (isRefused) return endNudge({ ...state, refusesRates: true }, input);

  const share = mode.rate - 1;
  const keep = isFine(input) ? FINE_READINGS : COARSE_READINGS;
  const readings = withReading(mode.readings, { atMs: nowMs, behindSeconds: behindSeconds(input) }, keep);
  const behind = smoothed(readings, nowMs, share);
  const learned = mode.readings.length === 0 && isFine(input) ? learnLoss(state, mode, input, behind) : state.learned;
  const { returnLossSeconds } = expected(state.learned, input.capabilities);
  const remainingSeconds = behind + returnLossSeconds;
  const isDone = remainingSeconds * share <= Math.abs(share) * (isFine(input) ? NUDGE_OUT_SECONDS / 4 : 0);
  if (isDone) return endNudge({ ...state, learned }, input);
  const endAtMs = nowMs + (remainingSeconds / share) * 1000;
  return wait({ ...state, learned }, { ...mode, readings, endAtMs }, input);
}

function wait(state: FollowerState, mode: Nudging, input: FollowInput): FollowDecision {
  return enter(state, mode, Math.min(mode.endAtMs - input.nowMs, NUDGE_TICK_MS, TICK_MS));
}

function endNudge(state: FollowerState, input: FollowInput): FollowDecision {
  const landing = { after: 'nudge', sinceMs: input.nowMs } as const;
  return enter(state, watch(input, landing), NUDGE_TICK_MS, [{ type: 'set-rate', rate: 1 }]);
}

function learnLoss(state: FollowerState, mode: Nudging, input: FollowInput, behind: number): FollowerState['learned'] {
  const gainedSeconds = ((mode.rate - 1) * (input.nowMs - mode.sinceMs)) / 1000;
  return learn(state.learned, input.capabilities, 'leaveLossSeconds', behind - mode.fromSeconds + gainedSeconds);
}
