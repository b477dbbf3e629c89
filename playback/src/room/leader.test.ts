import { describe, expect, test } from 'vitest';
import { offsetMs, playingSnapshot, playingTimeline } from '../../testing/follow-example.ts';
import { type LeaderInput, type LeaderState, holdTimeline, lead } from './leader.ts';
import type { PlayerSnapshot } from '../follow/player.ts';
import { type Timeline, positionAt, reanchor, seek } from './timeline.ts';

type Change = Partial<Omit<LeaderInput, 'player'>> & { readonly player?: Partial<PlayerSnapshot> };

function inputAt(nowMs: number, { player, ...rest }: Change = {}): LeaderInput {
  return {
    nowMs,
    serverMs: nowMs + offsetMs,
    timeline: playingTimeline,
    errorCode: null,
    endOfTrack: 'next',
    roomDurationSeconds: 600,
    ...rest,
    player: { ...playingSnapshot, positionSeconds: nowMs / 1000, ...player },
  };
}

const buffering = { phase: 'buffering', positionSeconds: 10 } as const;
const playing = (): LeaderState => lead(null, inputAt(10_000)).state;
const stalled = (): LeaderState => lead(playing(), inputAt(10_000, { player: buffering })).state;

describe('stalls of the host', () => {
  test('a player that goes on playing is no stall, one that buffers is (SYNC-25)', () => {
    expect(lead(playing(), inputAt(10_100))).toMatchObject({ state: { mode: { status: 'following' } } });
    const begun = lead(playing(), inputAt(10_100, { player: buffering }));
    expect(begun).toMatchObject({ state: { mode: { status: 'stalled' } }, intent: null, isCorrecting: true });
  });

  test('one of 0.3 s anchors nothing, and neither does a player that was paused in it (SYNC-25)', () => {
    const early = lead(null, inputAt(100)).state;
    const still = lead(early, inputAt(100, { player: { phase: 'buffering', positionSeconds: 0 } })).state;
    expect(lead(still, inputAt(300, { player: { positionSeconds: 0 } })).intent).toBeNull();
    const paused = lead(stalled(), inputAt(11_000, { player: { phase: 'paused', positionSeconds: 10 } }));
    expect(paused).toMatchObject({ intent: null, isCorrecting: true });
  });

  test('a short one is corrected like any member’s (SYNC-25)', () => {
    const back = lead(stalled(), inputAt(10_200, { player: { positionSeconds: 10 } }));
    expect(back).toMatchObject({ intent: null, isCorrecting: true });
  });

  test('a longer one anchors the room to the host once it plays again (SYNC-25)', () => {
    const still = lead(stalled(), inputAt(10_900, { player: buffering }));
    expect(still).toMatchObject({ intent: null, isCorrecting: false });
    const back = lead(still.state, inputAt(11_000, { player: { positionSeconds: 10 } }));
    expect(back.intent).toEqual({ type: 'reanchor', positionSeconds: 10, atServerMs: offsetMs + 11_000 });
    expect(back.isCorrecting).toBe(false);
    const timeline = reanchor(playingTimeline, 10, offsetMs + 11_000);
    expect(lead(back.state, inputAt(11_100, { timeline })).isCorrecting).toBe(true);
  });

  test('a host whose re-anchoring is never confirmed follows the old timeline again (SYNC-25)', () => {
    const back = lead(stalled(), inputAt(11_000, { player: { positionSeconds: 10 } }));
    expect(lead(back.state, inputAt(13_000)).isCorrecting).toBe(false);
    expect(lead(back.state, inputAt(13_001)).isCorrecting).toBe(true);
  });

  test('a stall or an advert of more than 1.5 s holds the room, renewed every 3 s (SYNC-25)', () => {
    let state = stalled();
    let timeline: Timeline = playingTimeline;
    let coming = timeline;
    let arrivesAtMs = Number.POSITIVE_INFINITY;
    const heldAtMs: number[] = [];
    for (let nowMs = 10_000; nowMs <= 20_000; nowMs += 100) {
      const decision = lead(state, inputAt(nowMs, { timeline, player: buffering }));
      state = decision.state;
      if (nowMs >= arrivesAtMs) timeline = coming;
      if (decision.intent?.type !== 'hold') continue;
      heldAtMs.push(nowMs);
      expect(decision.isCorrecting).toBe(false);
      // The server’s confirmation takes its time.
      arrivesAtMs = nowMs + 200;
      coming = holdTimeline(timeline, decision.intent.positionSeconds, nowMs + offsetMs);
      expect(positionAt(coming, nowMs + offsetMs + 3100)).toBe(10);
    }
    expect(heldAtMs).toEqual([11_600, 14_700, 17_800]);
    const back = lead(state, inputAt(20_100, { timeline, player: { positionSeconds: 10.02 } }));
    expect(back.intent).toMatchObject({ type: 'reanchor', positionSeconds: 10.02 });
  });

  test('a host that is stuck for good does not hold the room for ever (SYNC-25)', () => {
    let state = stalled();
    let timeline: Timeline = playingTimeline;
    let lastHoldMs = 0;
    for (let nowMs = 10_000; nowMs <= 120_000; nowMs += 100) {
      const decision = lead(state, inputAt(nowMs, { timeline, player: buffering }));
      state = decision.state;
      if (decision.intent?.type !== 'hold') continue;
      lastHoldMs = nowMs;
      timeline = holdTimeline(timeline, 10, nowMs + offsetMs);
    }
    expect(lastHoldMs).toBeGreaterThan(50_000);
    expect(lastHoldMs).toBeLessThan(60_000);
  });

  test('a command of the host during a stall ends the waiting (SYNC-25)', () => {
    const still = lead(stalled(), inputAt(10_900, { player: buffering }));
    const timeline = seek(playingTimeline, 90, offsetMs + 10_900, 200);
    expect(lead(still.state, inputAt(11_000, { timeline, player: buffering })).isCorrecting).toBe(true);
  });

  test('a command while the room waits ends the waiting: another place, or another track (SYNC-25)', () => {
    const asked = lead(stalled(), inputAt(11_600, { player: buffering }));
    const held = holdTimeline(playingTimeline, 10, offsetMs + 11_600);
    const later = (timeline: Timeline) => lead(asked.state, inputAt(11_800, { timeline, player: buffering }));
    expect(later(held).isCorrecting).toBe(false);
    expect(later({ ...held, positionSeconds: 90 }).isCorrecting).toBe(true);
    expect(later({ ...held, trackKey: 'b' }).isCorrecting).toBe(true);
  });

  test('a change of the queue during a stall does not end the waiting (SYNC-25)', () => {
    const still = lead(stalled(), inputAt(10_900, { player: buffering }));
    const timeline = { ...playingTimeline, revision: 4 };
    const later = lead(still.state, inputAt(11_600, { timeline, player: buffering }));
    expect(later.intent).toMatchObject({ type: 'hold', positionSeconds: 10 });
  });

  test('a room that does not wait is re-anchored once, at the end of the stall (SYNC-25)', () => {
    let state = stalled();
    let timeline: Timeline = playingTimeline;
    const asked: string[] = [];
    for (let nowMs = 10_000; nowMs <= 25_000; nowMs += 100) {
      const player = nowMs < 20_000 ? buffering : { positionSeconds: 10 + (nowMs - 20_000) / 1000 };
      const { intent, state: next } = lead(state, inputAt(nowMs, { timeline, player }));
      state = next;
      if (intent === null) continue;
      asked.push(intent.type);
      if ('positionSeconds' in intent) timeline = reanchor(timeline, intent.positionSeconds, nowMs + offsetMs);
    }
    expect(asked).toEqual(['hold', 'reanchor']);
  });

  test('buffering before anything played is loading, not a stall (SYNC-25)', () => {
    expect(lead(null, inputAt(10_000, { player: buffering })).state.mode.status).toBe('following');
  });
});

describe('ends', () => {
  const endedPhase = { phase: 'ended', positionSeconds: 600 } as const;

  test.each([
    { rule: 'SYNC-V1', endOfTrack: 'next' },
    { rule: 'SYNC-A1', endOfTrack: 'rewind' },
  ] as const)('$rule the end of a track asks for $endOfTrack, once', ({ endOfTrack }) => {
    const ended = lead(playing(), inputAt(600_010, { endOfTrack, player: endedPhase }));
    expect(ended).toMatchObject({ intent: { type: endOfTrack }, isCorrecting: true });
    expect(lead(ended.state, inputAt(600_200, { endOfTrack, player: endedPhase })).intent).toBeNull();
  });

  test('the end is repeated every 2.5 s while the room stays on the line, whatever its revision (SYNC-27)', () => {
    const askedAtMs: number[] = [];
    let state = playing();
    for (let nowMs = 600_010; nowMs <= 607_600; nowMs += 10) {
      // Something was queued meanwhile.
      const timeline = { ...playingTimeline, revision: nowMs < 601_000 ? 3 : 4 };
      const decision = lead(state, inputAt(nowMs, { timeline, player: endedPhase }));
      state = decision.state;
      if (decision.intent === null) continue;
      expect(decision).toMatchObject({ isCorrecting: true });
      expect(decision.intent).toEqual({ type: 'next', ...(askedAtMs.length > 0 && { isAgain: true }) });
      askedAtMs.push(nowMs);
    }
    expect(askedAtMs).toEqual([600_010, 602_510, 605_010, 607_510]);
    const next = { ...playingTimeline, revision: 5, trackKey: 'b', atServerMs: offsetMs + 607_000 };
    expect(lead(state, inputAt(612_000, { timeline: next, player: { positionSeconds: 5 } })).intent).toBeNull();
  });

  test('a player that fails after its end was sent is not skipped as well (SYNC-27)', () => {
    const { state } = lead(playing(), inputAt(600_010, { player: endedPhase }));
    const failed = { player: { phase: 'failed', durationSeconds: null }, errorCode: 'unsupported' } as const;
    expect(lead(state, inputAt(600_200, failed)).intent).toBeNull();
    expect(lead(state, inputAt(602_600, failed)).intent).toEqual({ type: 'next', isAgain: true });
  });

  test('the end does not depend on the player reporting it (SYNC-27)', () => {
    expect(lead(playing(), inputAt(600_300, { player: { positionSeconds: 599.9 } })).intent).toBeNull();
    expect(lead(playing(), inputAt(600_600, { player: { positionSeconds: 599.9 } })).intent).toEqual({ type: 'next' });
  });

  test('a player that plays on past the length of its file is not cut off where the room knows more (SYNC-27)', () => {
    const longer = { roomDurationSeconds: 900, player: { durationSeconds: 600 } };
    const at = (nowMs: number, phase: PlayerSnapshot['phase']) =>
      lead(playing(), inputAt(nowMs, { ...longer, player: { ...longer.player, phase } })).intent;
    expect([at(700_000, 'playing'), at(900_600, 'playing')]).toEqual([null, { type: 'next' }]);
    expect([at(700_000, 'ended'), at(700_000, 'paused')]).toEqual([{ type: 'next' }, { type: 'next' }]);
  });

  test('a track of unknown length, one that still loads and none at all do not end by time (SYNC-27)', () => {
    const late = (player: Partial<PlayerSnapshot>) => lead(playing(), inputAt(700_000, { player })).intent;
    expect([late({ durationSeconds: null }), late({ durationSeconds: 0 }), late({ phase: 'buffering' })]).toEqual([
      null,
      null,
      null,
    ]);
    const timeline = { ...playingTimeline, trackKey: null };
    expect(lead(null, inputAt(700_000, { timeline })).state.announced).toBeNull();
    expect(lead(null, inputAt(700_000, { timeline })).intent).toBeNull();
  });

  test('the end of the track before is not the end of this one (SYNC-27)', () => {
    const timeline = { ...playingTimeline, revision: 4, trackKey: 'b', atServerMs: offsetMs + 600_000 };
    expect(lead(playing(), inputAt(600_100, { timeline, player: endedPhase })).intent).toBeNull();
  });

  test('a queue of nothing that can be played is skipped through once and then pauses, unless the host plays it', () => {
    const failed = { player: { phase: 'failed' }, errorCode: 'not-embeddable' } as const;
    const first = lead(playing(), inputAt(11_000, failed));
    expect(first.intent).toEqual({ type: 'skip-failed', trackKey: 'a', code: 'not-embeddable', nth: 1 });
    expect(first.isCorrecting).toBe(true);
    expect(lead(first.state, inputAt(11_100, failed)).intent).toBeNull();
    expect(lead(first.state, inputAt(20_000, failed)).intent).toBeNull();
    expect(lead(first.state, inputAt(700_000, failed)).intent).toBeNull();
    const b = { ...playingTimeline, revision: 4, trackKey: 'b' };
    const second = lead(first.state, inputAt(12_000, { ...failed, timeline: b }));
    expect(second.intent).toMatchObject({ type: 'skip-failed', trackKey: 'b', nth: 2 });
    const again = { ...playingTimeline, revision: 5, atServerMs: offsetMs + 13_000 };
    const known = lead(second.state, inputAt(13_000, { ...failed, timeline: again }));
    expect(known).toMatchObject({ intent: { type: 'pause' }, isCorrecting: true });
    expect(lead(known.state, inputAt(13_100, { ...failed, timeline: again })).intent).toBeNull();
    const wanted = { ...again, revision: 7, atServerMs: offsetMs + 20_000 };
    expect(lead(known.state, inputAt(20_000, { ...failed, timeline: wanted })).intent).toBeNull();
  });

  test('a track that cannot be played is left once the room plays, and not while it is paused', () => {
    const failed = { player: { phase: 'failed' }, errorCode: 'unsupported' } as const;
    const paused = { ...playingTimeline, isPlaying: false };
    const cued = lead(null, inputAt(11_000, { ...failed, timeline: paused }));
    expect(cued.intent).toBeNull();
    expect(lead(cued.state, inputAt(12_000, failed)).intent).toMatchObject({ type: 'skip-failed', nth: 1 });
  });

  test.each([
    ['could not fetch', 'network'],
    ['fails at a place of', 'damaged'],
  ] as const)(
    "a track that the host's device %s is not skipped, and its end is still sent (SYNC-42)",
    (_, errorCode) => {
      const unfetched = { player: { phase: 'failed', durationSeconds: null }, errorCode } as const;
      const during = lead(playing(), inputAt(11_000, unfetched));
      expect(during).toMatchObject({ intent: null, isCorrecting: true });
      expect(lead(during.state, inputAt(599_000, unfetched)).intent).toBeNull();
      const over = lead(during.state, inputAt(600_600, unfetched));
      expect(over.intent).toEqual({ type: 'next' });
      expect(lead(over.state, inputAt(600_700, unfetched)).intent).toBeNull();
    },
  );
});
