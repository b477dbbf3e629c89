import { describe, expect, test } from 'vitest';
import { ClockOffset } from '../clock/server-clock.ts';
import { startFollowLoop } from './follow-loop.ts';
import type { PlayerMemory } from './learned.ts';
import type { FollowStatus } from './follower-state.ts';
import type { LeaderIntent } from '../room/leader.ts';
import { SimPlayer } from '../sim/player.ts';
import { SimRandom } from '../sim/random.ts';
import { SimTime } from '../sim/time.ts';
import {
  type Timeline,
  changeTrack,
  emptyTimeline,
  positionAt,
  reanchor,
  republish,
  rewind,
} from '../room/timeline.ts';

const epochMs = 1_800_000_000_000;

/** A room with one listener and a perfect connection, in virtual time. */
function room(options: { isHost?: boolean; isBlocked?: boolean; memory?: PlayerMemory } = {}) {
  const { isHost = false, isBlocked = false, memory } = options;
  const time = new SimTime();
  const player = new SimPlayer(time, new SimRandom(1), 'media', 120);
  const clock = new ClockOffset();
  for (let probe = 0; probe < 12; probe++) {
    clock.addSample({ sentAtMs: 0, receivedAtMs: 0, serverReceivedMs: epochMs });
  }
  if (isBlocked) player.blockNextPlay();
  const statuses: FollowStatus[] = [];
  const intents: LeaderIntent[] = [];
  let timeline: Timeline = emptyTimeline(epochMs);
  const loop = startFollowLoop({
    player,
    clock,
    nowMs: () => time.nowMs,
    schedule: (task, delayMs) => time.after(delayMs, task),
    seekToleranceSeconds: 1.5,
    onStatus: (status) => statuses.push(status),
    onIntent: (intent) => {
      intents.push(intent);
      if (intent.type === 'reanchor') publish(reanchor(timeline, intent.positionSeconds, intent.atServerMs));
      if (intent.type === 'rewind') publish(rewind(timeline, epochMs + time.nowMs));
      if (intent.type === 'republish') publish(republish(timeline, epochMs + time.nowMs) ?? timeline);
    },
    endOfTrack: 'rewind',
    ...(memory && { memory }),
  });
  loop.setLeading(isHost);
  function publish(next: Timeline): void {
    timeline = next;
    loop.setTimeline(next);
  }
  const playTrack = (): void => publish(changeTrack(timeline, 'a', epochMs + time.nowMs, 1000));
  const driftMs = (): number => (player.truePositionSeconds - positionAt(timeline, epochMs + time.nowMs)) * 1000;
  return { time, player, loop, statuses, intents, publish, playTrack, driftMs, current: () => timeline };
}

describe('following', () => {
  test('does nothing to the player before the first timeline', () => {
    const { time, player, statuses } = room();
    time.runUntil(5000);
    expect([player.loads, player.seeks, statuses.length]).toEqual([0, 0, 0]);
  });

  test('plays in sync and reports its true drift', () => {
    const { time, loop, playTrack, driftMs } = room();
    playTrack();
    time.runUntil(8000);
    expect(Math.abs(driftMs())).toBeLessThan(20);
    const status = loop.status();
    expect(status).toMatchObject({ status: 'playing', revision: 1, errorCode: null });
    expect(Math.abs((status.driftMs ?? 99) - driftMs())).toBeLessThan(1);
  });

  test('ignores an older revision (SYNC-2)', () => {
    const { time, loop, playTrack, current } = room();
    playTrack();
    time.runUntil(3000);
    loop.setTimeline({ ...current(), positionSeconds: 90 });
    time.runUntil(3500);
    expect(loop.status().revision).toBe(1);
    expect(loop.status().seeks).toBe(0);
  });

  test('a device offset moves the player ahead', () => {
    const { time, loop, playTrack, driftMs } = room();
    playTrack();
    time.runUntil(5000);
    loop.setDeviceOffsetMs(200);
    time.runUntil(15_000);
    expect(driftMs()).toBeGreaterThan(180);
    expect(driftMs()).toBeLessThan(220);
  });

  test('a player that this device holds stays held until a tap', () => {
    const { time, loop, player, playTrack, driftMs } = room();
    playTrack();
    time.runUntil(5000);
    loop.hold();
    time.runUntil(20_000);
    expect(player.snapshot().phase).toBe('paused');
    expect(loop.status().status).toBe('held');
    loop.tapToListen();
    time.runUntil(30_000);
    expect(loop.status().status).toBe('playing');
    expect(Math.abs(driftMs())).toBeLessThan(20);
  });

  test('setting the same device offset again changes nothing', () => {
    const { time, loop, player, playTrack } = room();
    playTrack();
    time.runUntil(5000);
    player.shift(-0.4);
    for (let press = 0; press < 20; press++) {
      loop.setDeviceOffsetMs(0);
      time.runUntil(5000 + press * 10);
    }
    time.runUntil(20_000);
    expect(loop.status().seeks).toBe(0);
  });

  test.each([
    { who: 'a follower', isHost: false, withinMs: 500 },
    { who: 'the host', isHost: true, withinMs: 1000 },
  ])('$who is cued within $withinMs ms of the player being ready, and then starts in sync (SYNC-35)', (about) => {
    const { time, player, loop, publish, driftMs } = room(about);
    time.runUntil(9000);
    publish({ revision: 1, trackKey: 'a', isPlaying: true, positionSeconds: 0, atServerMs: epochMs });
    while (player.snapshot().phase !== 'paused') time.runUntil(time.nowMs + 1);
    const readyAtMs = time.nowMs;
    while (loop.status().status === 'loading') time.runUntil(time.nowMs + 1);
    expect(time.nowMs - readyAtMs).toBeLessThanOrEqual(about.withinMs);
    while (!player.isSounding) time.runUntil(time.nowMs + 1);
    expect(Math.abs(driftMs())).toBeLessThan(150);
  });

  test('reports a blocked player, and plays in sync after a tap (SYNC-23)', () => {
    const { time, loop, player, playTrack, driftMs } = room({ isBlocked: true });
    playTrack();
    time.runUntil(8000);
    expect([loop.status().status, player.isSounding]).toEqual(['blocked', false]);
    loop.tapToListen();
    time.runUntil(14_000);
    expect([loop.status().status, player.isSounding]).toEqual(['playing', true]);
    expect(Math.abs(driftMs())).toBeLessThan(20);
  });

  test('leaves the player alone once stopped', () => {
    const { time, loop, player, playTrack } = room();
    playTrack();
    time.runUntil(4000);
    loop.stop();
    player.pause();
    loop.tapToListen();
    time.runUntil(20_000);
    expect(player.isSounding).toBe(false);
  });
});

describe('the learned latencies that this device stores', () => {
  /** How long before the start of the music the player got its play command. */
  function headStartMs(memory: PlayerMemory): number {
    const { time, player, playTrack, current } = room({ memory });
    playTrack();
    while (!['buffering', 'playing'].includes(player.snapshot().phase)) time.runUntil(time.nowMs + 1);
    const playedAtMs = time.nowMs;
    time.runUntil(8000);
    return current().atServerMs - epochMs - playedAtMs;
  }
  const nothing: PlayerMemory = { read: () => null, write: () => undefined };

  test('make the first start of a visit as early as earlier starts had to be', () => {
    const late = { version: 1, players: { 'media-element': { startSeconds: [0.25] } } };
    const guessedMs = headStartMs(nothing);
    expect(headStartMs({ ...nothing, read: () => late }) - guessedMs).toBeCloseTo(250 - 95, -1);
  });

  test('are stored when something was learned, and not at each look', () => {
    const written: unknown[] = [];
    headStartMs({ ...nothing, write: (memory) => written.push(memory) });
    expect(written.at(-1)).toMatchObject({
      players: { 'media-element': { startSeconds: [expect.any(Number), expect.any(Number)] } },
    });
    expect(written.length).toBeLessThan(10);
  });
});

describe('leading', () => {
  test('publishes a rewind at the end', () => {
    const { time, playTrack, intents } = room({ isHost: true });
    playTrack();
    time.runUntil(125_000);
    expect(intents).toEqual([{ type: 'rewind' }]);
  });

  test('a stalled host anchors the room to itself instead of seeking (SYNC-25)', () => {
    const { time, player, playTrack, intents, driftMs } = room({ isHost: true });
    playTrack();
    time.runUntil(5000);
    player.stall(1000);
    time.runUntil(9000);
    expect(intents.map((intent) => intent.type)).toEqual(['reanchor']);
    expect(player.seeks).toBe(0);
    expect(Math.abs(driftMs())).toBeLessThan(20);
  });

  test.each([500, -500])(
    'a short stall of a host whose device is heard %i ms late moves no player, and a longer one no further',
    (ms) => {
      const { time, loop, player, playTrack, intents, driftMs, current } = room({ isHost: true });
      loop.setDeviceOffsetMs(ms);
      playTrack();
      time.runUntil(8000);
      player.stall(200);
      time.runUntil(20_000);
      expect(intents).toEqual([]);
      const stoodAtSeconds = player.truePositionSeconds - ms / 1000;
      player.stall(1000);
      time.runUntil(21_000);
      expect(intents.map(({ type }) => type)).toEqual(['reanchor']);
      expect(positionAt(current(), epochMs + 21_000) - stoodAtSeconds).toBeCloseTo(0, 1);
      time.runUntil(30_000);
      expect(Math.abs(driftMs() - ms)).toBeLessThan(20);
    },
  );

  test('setting control to the same value changes nothing', () => {
    const { time, player, loop, playTrack, intents } = room({ isHost: true });
    playTrack();
    time.runUntil(5000);
    player.stall(1200);
    time.runUntil(5800);
    loop.setLeading(true);
    time.runUntil(9000);
    expect(intents.map((intent) => intent.type)).toEqual(['reanchor']);
  });

  test('resynchronising republishes the position without a gap', () => {
    const { time, player, playTrack, intents, loop, current } = room({ isHost: true });
    playTrack();
    time.runUntil(8000);
    const before = positionAt(current(), epochMs + 9000);
    const changes = player.rateChanges + player.seeks;
    loop.resync();
    time.runUntil(9000);
    expect(intents).toEqual([{ type: 'republish' }]);
    expect(positionAt(current(), epochMs + 9000)).toBeCloseTo(before, 6);
    expect(player.rateChanges + player.seeks).toBe(changes);
    expect(player.isSounding).toBe(true);
  });

  test('a follower publishes nothing', () => {
    const { time, player, playTrack, intents } = room();
    playTrack();
    time.runUntil(5000);
    player.stall(3000);
    time.runUntil(130_000);
    expect(intents).toEqual([]);
  });
});
