/** The loop on a device that holds its player, on the host's device, and the frequency of its looks. */
import { describe, expect, test } from 'vitest';
import { epochMs, inStep, playing } from '../sim/loop.ts';
import type { Timeline } from '../room/timeline.ts';

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
    loop.setLeading(true);
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
    loop.setLeading(true);
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
    loop.setLeading(true);
    expect(statuses.length).toBe(before + 1);
  });
});

describe('the end of a track on the host’s device', () => {
  test('comes at the time that the room knows when the host’s network has lost the track (SYNC-41)', () => {
    const { loop, be, emit, intents, time } = inStep({ endOfTrack: 'next', roomDurationSeconds: () => 5 });
    loop.setLeading(true);
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
    loop.setLeading(true);
    be({ durationSeconds: 3 });
    time.runUntil(3000);
    be({ phase: 'ended', positionSeconds: 3 });
    emit({ type: 'ended' });
    time.runUntil(5000);
    expect(intents).toEqual([{ type: 'rewind' }]);
  });
});
