/** Two users of one connection's clock, one after the other; only the timers and the connection are replaced. */
import { manualTimer } from '../../testing/connection-fixtures.ts';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { describe, expect, test } from 'vitest';
import { startClockSync } from './clock-sync.ts';

const serverAheadMs = 5_000_000;

async function asked() {
  const connection = createFakeConnection();
  const timer = manualTimer();
  const first = startClockSync({ connection, nowMs: timer.nowMs, schedule: timer.schedule });
  for (let probe = 0; probe < 6; probe += 1) {
    const serverMs = timer.nowMs() + serverAheadMs;
    await connection.last('clock/probe').answer({ serverReceivedMs: serverMs, serverSentMs: serverMs });
    timer.pass(100);
  }
  first.stop();
  const enter = () => startClockSync({ connection, nowMs: timer.nowMs, schedule: timer.schedule });
  return { timer, enter };
}

describe('the clock of one connection', () => {
  test('a room continues the estimate from the request to join', async () => {
    const { timer, enter } = await asked();
    timer.pass(20_000);
    const room = enter();
    expect(room.clock.isSynced).toBe(true);
    expect(room.serverNow()).toBeCloseTo(timer.nowMs() + serverAheadMs, 0);
    room.stop();
  });

  test('a player that is in step again says so within a second, however rare probes have become', async () => {
    const connection = createFakeConnection();
    const timer = manualTimer();
    const room = startClockSync({ connection, nowMs: timer.nowMs, schedule: timer.schedule });
    const probes = () => connection.count('clock/probe');
    let seen = 0;
    const answer = async (forMs: number) => {
      for (let passed = 0; passed < forMs; passed += 50) {
        const serverMs = timer.nowMs() + serverAheadMs;
        const isNew = probes() > seen;
        seen = probes();
        if (isNew) await connection.last('clock/probe').answer({ serverReceivedMs: serverMs, serverSentMs: serverMs });
        timer.pass(50);
      }
    };
    await answer(120_000);
    for (const driftMs of [3, null, -4]) {
      const before = probes();
      room.note(driftMs, true);
      await answer(1100);
      if (driftMs === null) expect(probes()).toBe(before);
      else expect(connection.last('clock/probe').payload).toMatchObject({ driftMs });
    }
    room.stop();
  });

  test('a room that is left says so at once, and not with the next probe of another one', async () => {
    const connection = createFakeConnection();
    const timer = manualTimer();
    const room = startClockSync({ connection, nowMs: timer.nowMs, schedule: timer.schedule });
    room.note(3, true);
    timer.pass(1000);
    const before = connection.count('clock/probe');
    room.stop();
    expect(connection.count('clock/probe')).toBe(before + 1);
    expect(connection.last('clock/probe').payload).not.toHaveProperty('driftMs');
  });

  test('an estimate older than a minute is dropped', async () => {
    const { timer, enter } = await asked();
    timer.pass(61_000);
    const room = enter();
    expect(room.clock.isSynced).toBe(false);
    room.stop();
  });
});
