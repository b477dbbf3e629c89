import { describe, expect, test } from 'vitest';
import { ClockOffset } from '../clock/server-clock.ts';
import { startFollowLoop, clampDeviceOffsetMs, touchIntent } from './follow-loop.ts';
import type { PlayerMemory } from './learned.ts';
import type { FollowStatus } from './follower-state.ts';
import { lead, type LeaderIntent } from '../room/leader.ts';
import { SimPlayer } from '../../testing/player.ts';
import { SimRandom } from '../../testing/random.ts';
import { SimTime } from '../../testing/time.ts';
import {
  type Timeline,
  changeTrack,
  emptyTimeline,
  positionAt,
  reanchor,
  republish,
  rewind,
} from '../room/timeline.ts';
import { offsetMs, playingTimeline } from '../../testing/follow-example.ts';
import { epochMs, inStep, playing } from '../../testing/loop.ts';

describe('follow loop', () => {
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
    loop.setLeading(isHost ? lead : null);
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
      loop.setLeading(lead);
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
});

describe('device offset', () => {
  test('a device offset stays within half a second either way', () => {
    expect([120, 900, -900, Number.NaN].map(clampDeviceOffsetMs)).toEqual([120, 500, -500, 0]);
  });
});

describe('touch intent', () => {
  const paused = { ...playingTimeline, isPlaying: false, positionSeconds: 30 };
  const atMs = offsetMs + 10_000;

  test('a pause, a start and a seek in the host’s player are intents for the room', () => {
    expect(touchIntent({ type: 'held' }, playingTimeline, atMs)).toEqual({ type: 'pause' });
    expect(touchIntent({ type: 'started' }, paused, atMs)).toEqual({ type: 'play' });
    expect(touchIntent({ type: 'sought', positionSeconds: 50 }, playingTimeline, atMs)).toEqual({
      type: 'seek',
      positionSeconds: 50,
    });
    expect(touchIntent({ type: 'sought', positionSeconds: 3 }, paused, atMs)).toEqual({
      type: 'seek',
      positionSeconds: 3,
    });
  });

  test('a move of the host’s player is one to where the room is then, not a device that is heard late', () => {
    const sought = (positionSeconds: number, deviceOffsetSeconds: number) =>
      touchIntent({ type: 'sought', positionSeconds }, playingTimeline, atMs, deviceOffsetSeconds);
    expect(sought(50, 0.4)).toEqual({ type: 'seek', positionSeconds: 49.6 });
    expect(sought(0.1, 0.4)).toEqual({ type: 'seek', positionSeconds: 0 });
    expect([sought(11.8, 0.4), sought(8.2, -0.4)]).toEqual([null, null]);
  });

  test('what agrees with the room is no intent, nor anything without a track', () => {
    expect(touchIntent({ type: 'started' }, playingTimeline, atMs)).toBeNull();
    expect(touchIntent({ type: 'sought', positionSeconds: 10.9 }, playingTimeline, atMs)).toBeNull();
    expect(touchIntent({ type: 'changed' }, playingTimeline, atMs)).toBeNull();
    expect(touchIntent({ type: 'held' }, { ...paused, trackKey: null }, atMs)).toBeNull();
    expect(touchIntent({ type: 'held' }, null, atMs)).toBeNull();
  });
});

/** The loop on a device that holds its player, on the host's device, and the frequency of its looks. */
describe('a player that this device holds', () => {
  /** A room whose player pauses at once when commanded to. */
  function holding() {
    const room = inStep();
    room.when((command) => command === 'pause' && room.be({ phase: 'paused', positionSeconds: 3 }));
    room.loop.hold();
    return room;
  }
  const pausedAt3: Timeline = {
    ...playing,
    revision: 2,
    isPlaying: false,
    positionSeconds: 3,
    atServerMs: epochMs + 3000,
  };
  const goesOn: Timeline = { ...playing, revision: 3, positionSeconds: 3, atServerMs: epochMs + 3500 };

  test('reports the pause at once, stays paused through commands of the host, and is ’paused’ while the room is paused', () => {
    const { loop, taken, time } = holding();
    expect([taken(), loop.status().status]).toEqual([['pause'], 'held']);
    loop.setTimeline(pausedAt3);
    expect(loop.status().status).toBe('paused');
    loop.setTimeline(goesOn);
    time.runUntil(8000);
    expect([taken(), loop.status().status]).toEqual([[], 'held']);
  });

  test('a guest’s pause in the player itself holds only this device', () => {
    const { loop, be, emit, taken, intents, time } = inStep();
    be({ phase: 'paused', positionSeconds: 3 });
    emit({ type: 'held' });
    time.runUntil(8000);
    expect([taken(), intents, loop.status().status]).toEqual([[], [], 'held']);
  });

  test('cannot be held after the loop has ended', () => {
    const { loop, taken } = inStep();
    loop.stop();
    loop.hold();
    expect(taken()).toEqual([]);
  });

  test('the host’s pause in the player itself lasts until the host plays again', () => {
    const { loop, be, emit, taken, intents, time } = inStep();
    loop.setLeading(lead);
    be({ phase: 'paused', positionSeconds: 3 });
    emit({ type: 'held' });
    expect(intents).toEqual([{ type: 'pause' }]);
    loop.setTimeline(pausedAt3);
    loop.setTimeline(goesOn);
    time.runUntil(4000);
    expect(taken()).toContain('play');
  });

  test('a command does not restart a host’s player that the browser blocks (SYNC-23)', () => {
    const { loop, be, emit, taken, time } = inStep();
    loop.setLeading(lead);
    be({ phase: 'paused', positionSeconds: 3 });
    emit({ type: 'blocked' });
    loop.setTimeline({ ...goesOn, revision: 2 });
    time.runUntil(4000);
    expect(taken()).not.toContain('play');
  });

  test('a tap plays a player that something else kept pausing (SYNC-24)', () => {
    const { loop, be, play, emit, taken, time } = inStep();
    be({ phase: 'paused', positionSeconds: 3 });
    emit({ type: 'changed' });
    expect(taken()).toEqual(['play']);
    play();
    time.runUntil(4000);
    be({ phase: 'paused', positionSeconds: 4 });
    emit({ type: 'changed' });
    time.runUntil(6000);
    expect([taken(), loop.status().status]).toEqual([[], 'blocked']);
    loop.tapToListen();
    expect(taken()).toContain('play');
  });
});

describe('how often the loop looks', () => {
  test('does not depend on the number of events: one timer waits at a time', () => {
    const looksAfter = (events: number) => {
      const { emit, statuses, time } = inStep();
      for (let count = 0; count < events; count += 1) emit({ type: 'changed' });
      const before = statuses.length;
      time.runUntil(6000);
      return statuses.length - before;
    };
    expect(Math.abs(looksAfter(20) - looksAfter(1))).toBeLessThanOrEqual(1);
  });

  test('is never again after a stop inside a look', () => {
    let end = (): void => undefined;
    const { loop, waits, emit } = inStep({ onStatus: () => end() });
    end = () => loop.stop();
    const before = waits.length;
    emit({ type: 'changed' });
    expect(waits.length).toBe(before);
  });

  test('is at once when this page gets control', () => {
    const { loop, statuses } = inStep();
    const before = statuses.length;
    loop.setLeading(lead);
    expect(statuses.length).toBe(before + 1);
  });
});

describe('the end of a track on the host’s device', () => {
  test('comes at the time that the room knows when the host’s network has lost the track (SYNC-41)', () => {
    const { loop, be, emit, intents, time } = inStep({ endOfTrack: 'next', roomDurationSeconds: () => 5 });
    loop.setLeading(lead);
    time.runUntil(3100);
    be({ phase: 'failed', durationSeconds: null });
    emit({ type: 'failed', code: 'network' });
    time.runUntil(4900);
    expect(intents).toEqual([]);
    time.runUntil(6500);
    expect(intents).toEqual([{ type: 'next' }]);
  });

  test('rewinds by default', () => {
    const { loop, be, emit, intents, time } = inStep();
    loop.setLeading(lead);
    be({ durationSeconds: 3 });
    time.runUntil(3000);
    be({ phase: 'ended', positionSeconds: 3 });
    emit({ type: 'ended' });
    time.runUntil(5000);
    expect(intents).toEqual([{ type: 'rewind' }]);
  });
});
