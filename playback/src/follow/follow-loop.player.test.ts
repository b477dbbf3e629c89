/** The loop and its player: a player controlled by the test, and virtual time. */
import { describe, expect, test } from 'vitest';
import { epochMs, hand, inStep, playing } from '../../testing/loop.ts';
import { lead } from '../room/leader.ts';
import { emptyTimeline } from '../room/timeline.ts';

describe('before the first timeline', () => {
  test('no command reaches the player, and no timer runs', () => {
    const { loop, taken, statuses, intents, waits, emit } = hand();
    loop.wake();
    loop.setLeading(lead);
    loop.resync();
    loop.setDeviceOffsetMs(100);
    emit({ type: 'changed' });
    expect([taken(), statuses, intents, waits]).toEqual([[], [], [], []]);
    expect(loop.status()).toMatchObject({ status: 'idle', revision: -1, uncertaintyMs: Number.POSITIVE_INFINITY });
  });
});

describe('carrying out', () => {
  test('a pause, a seek, a change of rate and an unloading reach the player, and are counted', () => {
    const { loop, be, play, taken, time } = inStep();
    expect(loop.status()).toMatchObject({ status: 'playing', seeks: 0, rateChanges: 0 });
    play(-0.02);
    while (loop.status().rateChanges === 0) time.runUntil(time.nowMs + 10);
    expect(taken()).toEqual(['rate 1.01']);
    be({ rate: 1.01 });
    loop.setTimeline({ ...playing, revision: 2, isPlaying: false, positionSeconds: 40, atServerMs: epochMs + 3000 });
    expect(taken()).toEqual(['pause', 'rate 1.00']);
    be({ phase: 'paused', rate: 1 });
    time.runUntil(6000);
    expect(taken()).toEqual(['seek 40.00', 'seek 40.00']);
    expect(loop.status()).toMatchObject({ seeks: 2, rateChanges: 2 });
    loop.setTimeline({ ...emptyTimeline(epochMs), revision: 3 });
    expect(taken()).toEqual(['unload']);
  });

  test('a look that a command causes comes right after it, not inside it', () => {
    const room = hand();
    room.loop.setTimeline(playing);
    room.be({ phase: 'paused', positionSeconds: 0 });
    const looks: number[] = [];
    room.when(() => {
      room.emit({ type: 'changed' });
      looks.push(room.statuses.length);
    });
    const before = room.statuses.length;
    room.emit({ type: 'changed' });
    expect(looks).toEqual([before]);
    expect([room.statuses.length, room.waits.at(-1)]).toEqual([before + 1, 4]);
    room.when(() => undefined);
    room.time.runUntil(4);
    expect(room.waits.at(-1)).toBeGreaterThan(4);
  });

  test('the loop goes on after a player that throws', () => {
    const { loop, when, taken, time, statuses } = hand();
    when(() => {
      throw new Error('broken');
    });
    expect(() => loop.setTimeline(playing)).toThrow('broken');
    when(() => undefined);
    const before = statuses.length;
    time.runUntil(1000);
    expect(statuses.length).toBeGreaterThan(before);
    expect(taken()).toHaveLength(1);
  });

  test('after a stop no timer and no listener is left, and no command reaches the player', () => {
    const { loop, time, taken, listeners, statuses, be } = inStep();
    const before = statuses.length;
    loop.stop();
    expect(listeners.size).toBe(0);
    be({ phase: 'paused' });
    loop.tapToListen();
    loop.wake();
    loop.setTimeline({ ...playing, revision: 9, positionSeconds: 90 });
    time.runUntil(60_000);
    expect([taken(), statuses.length]).toEqual([[], before]);
  });

  test('it works without callbacks', () => {
    const { loop, taken } = inStep({ onStatus: undefined, onIntent: undefined } as never);
    loop.setLeading(lead);
    loop.resync();
    loop.setTimeline({ ...playing, revision: 2, trackKey: 'b' });
    expect(taken()).toEqual([expect.stringMatching(/^load b/)]);
  });
});

describe('a track that fails', () => {
  const fail = (room: ReturnType<typeof hand>, code: 'network' | 'not-found') => {
    room.be({ phase: 'failed' });
    room.emit({ type: 'failed', code });
  };

  test('keeps its error until it can play or another track is loaded', () => {
    const room = inStep();
    room.emit({ type: 'changed' });
    expect(room.loop.status().errorCode).toBeNull();
    fail(room, 'not-found');
    expect(room.loop.status()).toMatchObject({ status: 'failed', errorCode: 'not-found' });
    for (const phase of ['loading', 'buffering'] as const) {
      room.be({ phase });
      room.emit({ type: 'changed' });
      expect(room.loop.status().errorCode).toBe('not-found');
    }
    for (const phase of ['playing', 'paused'] as const) {
      fail(room, 'not-found');
      room.be({ phase });
      room.emit({ type: 'changed' });
      expect(room.loop.status().errorCode).toBeNull();
    }
    fail(room, 'not-found');
    room.be({ phase: 'loading' });
    room.loop.setTimeline({ ...playing, revision: 2, trackKey: 'b' });
    room.emit({ type: 'changed' });
    expect(room.loop.status()).toMatchObject({ errorCode: null });
  });

  test.each(['wake', 'resync'] as const)('is loaded again at once by %s, and keeps its error until then', (how) => {
    const room = inStep();
    fail(room, 'network');
    expect(room.taken()).toEqual([]);
    room.loop[how]();
    expect(room.taken()).toEqual([expect.stringMatching(/^load a/)]);
    room.be({ phase: 'loading' });
    room.emit({ type: 'changed' });
    expect(room.loop.status()).toMatchObject({ status: 'loading', errorCode: 'network' });
  });
});

describe('a player that the browser blocks', () => {
  test('is blocked until it plays by itself (SYNC-23)', () => {
    const room = inStep();
    room.be({ phase: 'paused' });
    room.emit({ type: 'blocked' });
    room.time.runUntil(10_000);
    expect([room.loop.status().status, room.taken()]).toEqual(['blocked', []]);
    room.be({ phase: 'playing', positionSeconds: 10 });
    room.emit({ type: 'changed' });
    expect(room.loop.status().status).not.toBe('blocked');
    room.be({ phase: 'paused' });
    room.emit({ type: 'changed' });
    expect(room.taken()).toContain('play');
  });

  test('is played inside the tap, and not blocked afterwards (SYNC-23)', () => {
    const room = inStep();
    room.be({ phase: 'paused', positionSeconds: 3 });
    room.emit({ type: 'blocked' });
    room.loop.tapToListen();
    expect(room.taken()).toEqual(['play']);
    expect(room.loop.status().status).toBe('cued');
  });
});

describe('immediate effects', () => {
  test('a change of the device offset is looked at without waiting', () => {
    const { loop, statuses } = inStep();
    const before = statuses.length;
    loop.setDeviceOffsetMs(100);
    expect(statuses.length).toBe(before + 1);
    expect(statuses.at(-1)?.driftMs).toBeCloseTo((statuses.at(-2)?.driftMs ?? 0) - 100, 0);
  });

  test('a host’s resync publishes the position while the music plays, and a guest’s does not', () => {
    const { loop, intents } = inStep();
    loop.resync();
    expect(intents).toEqual([]);
    loop.setLeading(lead);
    loop.resync();
    expect(intents).toEqual([{ type: 'republish' }]);
    loop.setTimeline({ ...playing, revision: 2, isPlaying: false, positionSeconds: 3, atServerMs: epochMs + 3000 });
    loop.resync();
    expect(intents).toEqual([{ type: 'republish' }]);
  });

  test.each(['next', 'rewind'] as const)('a host whose track ended publishes the room’s setting: %s', (endOfTrack) => {
    const { loop, intents, be, emit, time } = inStep({ endOfTrack });
    loop.setLeading(lead);
    be({ durationSeconds: 3 });
    time.runUntil(3000);
    be({ phase: 'ended', positionSeconds: 3 });
    emit({ type: 'ended' });
    time.runUntil(5000);
    expect(intents).toEqual([{ type: endOfTrack }]);
  });
});

describe('the host uses the player’s own controls', () => {
  test('a seek is published, and the player keeps that position until the room reacts', () => {
    const { loop, be, emit, taken, intents, time } = inStep();
    loop.setLeading(lead);
    time.runUntil(4000);
    taken();
    be({ positionSeconds: 60 });
    emit({ type: 'sought', positionSeconds: 60 });
    expect(intents).toEqual([{ type: 'seek', positionSeconds: 60 }]);
    time.runUntil(5900);
    expect(taken()).toEqual([]);
    loop.setTimeline({ ...playing, revision: 2, positionSeconds: 60, atServerMs: epochMs + 5900 });
    time.runUntil(6000);
    expect(taken().filter((command) => command.startsWith('seek'))).toEqual([]);
  });

  test('a seek on a device with an offset is converted to the room’s position', () => {
    const { loop, be, emit, intents, time } = inStep();
    loop.setLeading(lead);
    loop.setDeviceOffsetMs(400);
    time.runUntil(4000);
    be({ positionSeconds: 60 });
    emit({ type: 'sought', positionSeconds: 60 });
    expect(intents).toEqual([{ type: 'seek', positionSeconds: 59.6 }]);
  });

  test('without a reaction within two seconds the player returns to the room’s position', () => {
    const { loop, be, emit, taken, time } = inStep();
    loop.setLeading(lead);
    time.runUntil(4000);
    taken();
    be({ positionSeconds: 60 });
    emit({ type: 'sought', positionSeconds: 60 });
    time.runUntil(7000);
    expect(taken().some((command) => command.startsWith('seek'))).toBe(true);
  });

  test('a guest’s seek is not published, and the player returns to the room’s position', () => {
    const { be, emit, taken, intents, time } = inStep();
    be({ positionSeconds: 60 });
    emit({ type: 'sought', positionSeconds: 60 });
    time.runUntil(4000);
    expect(intents).toEqual([]);
    expect(taken().some((command) => command.startsWith('seek'))).toBe(true);
  });
});
