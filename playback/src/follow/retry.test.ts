import { describe, expect, test } from 'vitest';
import { followerInStep, inputAt } from '../sim/follow-example.ts';
import type { FollowerState } from './follower-state.ts';
import { follow, retryNow } from './follower.ts';
import type { PlayerErrorCode, PlayerPhase } from './player.ts';

/** Runs a follower whose player fails again a moment after each load; answers when and where it loaded. */
function loadsWhileFailing(state: FollowerState, fromMs: number, untilMs: number, errorCode: PlayerErrorCode) {
  const loads: { atMs: number; startSeconds: number }[] = [];
  let phase: PlayerPhase = 'failed';
  let nowMs = fromMs;
  while (nowMs < untilMs) {
    const decision = follow(state, inputAt(nowMs, { errorCode, player: { phase, durationSeconds: null } }));
    state = decision.state;
    phase = 'failed';
    for (const action of decision.actions) {
      if (action.type !== 'load') continue;
      loads.push({ atMs: nowMs, startSeconds: action.startSeconds });
      phase = 'loading';
    }
    nowMs += Math.max(1, decision.wakeInMs);
  }
  return { state, loads };
}

describe('a track that could not be fetched', () => {
  test('is loaded again after 1, 2, 5, 15 and then every 30 s, where the room is by then (SYNC-41)', () => {
    const { loads } = loadsWhileFailing(followerInStep(), 10_000, 110_000, 'network');
    const waits = loads.map(({ atMs }, index) => Math.round((atMs - (loads[index - 1]?.atMs ?? 10_000)) / 1000));
    expect(waits).toEqual([1, 2, 5, 15, 30, 30]);
    for (const { atMs, startSeconds } of loads) expect(startSeconds).toBeGreaterThanOrEqual(atMs / 1000);
  });

  test('is loaded at once on request, and its waits restart with 1 s once it has played (SYNC-41)', () => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 30_000, 'network');
    const asked = loadsWhileFailing(retryNow(failing.state), 30_000, 30_010, 'network');
    expect(asked.loads).toHaveLength(1);
    const playing = follow(asked.state, inputAt(31_000, { errorCode: 'network' })).state;
    expect(loadsWhileFailing(playing, 40_000, 41_500, 'network').loads).toHaveLength(1);
  });

  test('waits as long as before when the player was only ready by default, without having fetched anything (SYNC-41)', () => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 12_500, 'network');
    expect(failing.loads).toHaveLength(1);
    const atRest = { phase: 'paused', hasNothingFetched: true, durationSeconds: null } as const;
    const { state } = follow(failing.state, inputAt(12_500, { errorCode: 'network', player: atRest }));
    expect(loadsWhileFailing(state, 13_000, 14_500, 'network').loads).toEqual([]);
    expect(loadsWhileFailing(state, 13_000, 18_500, 'network').loads).toHaveLength(1);
  });

  test.each([
    { phase: 'paused', durationSeconds: null },
    { phase: 'ended', durationSeconds: null },
  ] as const)('restarts its waits with 1 s once the player could have played it: $phase (SYNC-41)', (player) => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 12_500, 'network');
    const { state } = follow(failing.state, inputAt(12_500, { player }));
    expect(loadsWhileFailing(state, 13_000, 14_500, 'network').loads).toHaveLength(1);
  });

  test('a retry of one that has not failed changes nothing (SYNC-41)', () => {
    const playing = followerInStep();
    expect(retryNow(playing)).toEqual(playing);
  });

  test('one that the player cannot play is loaded again only on request (SYNC-41)', () => {
    const failing = loadsWhileFailing(followerInStep(), 10_000, 60_000, 'unsupported');
    expect(failing.loads).toEqual([]);
    expect(loadsWhileFailing(retryNow(failing.state), 60_000, 90_000, 'unsupported').loads).toHaveLength(1);
  });
});
