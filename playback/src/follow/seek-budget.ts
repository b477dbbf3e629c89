/**
 * Whether a corrective seek may happen now. Beyond the tolerance of the room always, but with growing pauses
 * between; inside it only on a player with fine rates: once after a start, a jump or a stall, and now and then where
 * nudges do not help.
 */
import { type FollowInput, type FollowerState, hasGivenUp } from './follower-state.ts';
import { hurryMs, seekQuietMs, seekRefractoryMaxMs, seekRefractoryMs } from '../timings.ts';

/** True if a player that is off by this much may be moved by a seek. */
export function isSeekAllowed(state: FollowerState, input: FollowInput, offSeconds: number): boolean {
  const { lastSeek } = state;
  if (lastSeek !== null && input.nowMs - lastSeek.atMs < lastSeek.refractoryMs) return false;
  if (Math.abs(offSeconds) > input.seekToleranceSeconds) return true;
  const isLastResort =
    hasGivenUp(state, input.nowMs) && (lastSeek === null || input.nowMs - lastSeek.atMs > seekQuietMs);
  return (state.mayJump || isLastResort) && input.capabilities.rateControl.type === 'fine';
}

/** Notes that a corrective seek was asked for; the one free seek is spent. */
export function rememberSeek(state: FollowerState, input: FollowInput): FollowerState {
  const { lastSeek } = state;
  const isQuiet = lastSeek === null || input.nowMs - lastSeek.atMs > seekQuietMs;
  const refractoryMs = isQuiet ? seekRefractoryMs : Math.min(seekRefractoryMaxMs, lastSeek.refractoryMs * 2);
  const hurryUntilMs = input.nowMs + hurryMs;
  return { ...state, mayJump: false, hurryUntilMs, lastSeek: { atMs: input.nowMs, refractoryMs } };
}
