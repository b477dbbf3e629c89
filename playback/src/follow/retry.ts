/**
 * Loading a track again that failed: by itself when only its fetching failed, ever more rarely, and at once when a
 * person asks for it. A failure of one device's network says nothing about the track, so it has no effect on others.
 */
import { type FollowDecision, type FollowInput, type FollowerState, enter } from './follower-state.ts';
import { fetchRetriesMs, usualTickMs } from '../timings.ts';

/** Stands still with a track that failed, until it is time to try again. */
export function standFailed(state: FollowerState, input: FollowInput): FollowDecision {
  const { mode } = state;
  if (mode.status === 'failed') return enter(state, mode, usualTickMs);
  if (input.errorCode !== 'network') return enter(state, { status: 'failed', retryAtMs: null }, usualTickMs);
  const { trackKey } = input.timeline;
  const failures = state.unfetched?.trackKey === trackKey ? state.unfetched.failures : 0;
  const waitMs = fetchRetriesMs[Math.min(failures, fetchRetriesMs.length - 1)] ?? usualTickMs;
  const unfetched = { trackKey, failures: failures + 1 };
  return enter({ ...state, unfetched }, { status: 'failed', retryAtMs: input.nowMs + waitMs }, usualTickMs);
}

/** A track whose time to be tried again has come counts as not loaded; one that can play was fetched. */
export function noticeRetry(state: FollowerState, input: FollowInput): FollowerState {
  const { mode, unfetched } = state;
  const { phase, hasNothingFetched = false } = input.player;
  const isFetched = phase === 'playing' || phase === 'ended' || (phase === 'paused' && !hasNothingFetched);
  if (isFetched && unfetched !== null) return { ...state, unfetched: null };
  const isDue = mode.status === 'failed' && mode.retryAtMs !== null && input.nowMs >= mode.retryAtMs;
  return isDue ? { ...state, loadedKey: null } : state;
}

/** A track that failed is tried again with the next look, whatever it failed for. */
export function retryNow(state: FollowerState): FollowerState {
  const { mode } = state;
  return mode.status === 'failed' ? { ...state, mode: { ...mode, retryAtMs: Number.NEGATIVE_INFINITY } } : state;
}
