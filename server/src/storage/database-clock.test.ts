/**
 * How a process knows the time of its database: against a real PostgreSQL, and against one whose delays a test decides.
 */
import { expect, test } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { databaseNowMs, startDatabaseClock } from './database-clock.ts';
import { openDatabase } from './database.ts';

const hourMs = 3_600_000;

/**
 * A database that answers after `delaysMs`, the same ones over and over, each way; and a machine whose clock is wrong.
 */
function stage(delaysMs: readonly number[]) {
  const machine = createFakeClock();
  const events: { event: string; fields: object }[] = [];
  const keep = (fields: object, event: string) => void events.push({ event, fields });
  const evenlyFromMs = machine.now();
  let trueAheadMs = -3 * hourMs;
  let jumpedMs = 0;
  let asked = 0;
  let isCalm = false;
  const deps = {
    machine: { now: () => machine.now() + jumpedMs, preciseNow: () => machine.now() + jumpedMs },
    monotonicMs: () => machine.now() - evenlyFromMs,
    askDatabase: () => {
      const delayMs = isCalm ? 0 : (delaysMs[asked % delaysMs.length] ?? 0);
      asked += 1;
      machine.advance(delayMs);
      const answerMs = machine.now() + trueAheadMs;
      machine.advance(1);
      return Promise.resolve(answerMs);
    },
    log: { debug: keep, info: keep, warn: keep, error: keep },
  };
  return {
    deps,
    machine,
    events,
    databaseMs: () => machine.now() + trueAheadMs,
    asked: () => asked,
    /** The wall clock of the machine is set, or it was suspended. */
    jump: (ms: number) => void (jumpedMs += ms),
    /** From now on the database is asked without delay. */
    calmDown: () => void (isCalm = true),
    /** The database moved to a machine with another clock. */
    move: (ms: number) => void (trueAheadMs += ms),
  };
}

test('a process answers in the time of its database, by the answer with the least delay (SYNC-40)', async () => {
  const { deps, databaseMs, machine } = stage([40, 900, 3, 120]);
  const clock = await startDatabaseClock(deps);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(2);
  machine.advance(30_000);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(2);
  expect(clock.now()).toBe(Math.floor(clock.preciseNow()));
});

test('a step that the machine has not followed yet is taken, and the database asked anew: it may be on that machine', async () => {
  const { deps, databaseMs, asked, jump, move } = stage([1]);
  let stepMs = 0;
  const take = () => {
    jump(stepMs);
    stepMs = 0;
  };
  const clock = await startDatabaseClock({ ...deps, machine: { ...deps.machine, aheadMs: () => stepMs, take } });
  const before = asked();
  stepMs = hourMs;
  move(hourMs);
  await clock.watch();
  expect(asked()).toBeGreaterThan(before);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(2);
});

test('setting the machine clock by hours changes nothing (SYNC-40)', async () => {
  const { deps, databaseMs, asked, jump } = stage([1]);
  const clock = await startDatabaseClock(deps);
  const before = asked();
  jump(5 * hourMs);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(2);
  await clock.watch();
  expect(asked()).toBeGreaterThan(before);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(2);
  const afterwards = asked();
  await clock.watch();
  expect(asked()).toBe(afterwards);
});

test('a process that was too busy at its start to measure well measures again within seconds (SYNC-40)', async () => {
  const { deps, databaseMs, machine, asked, calmDown } = stage([400]);
  const clock = await startDatabaseClock(deps);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeGreaterThan(100);
  calmDown();
  await clock.watch();
  machine.advance(5000);
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(2);
  const afterwards = asked();
  await clock.watch();
  expect(asked()).toBe(afterwards);
});

test('a small difference is slewed and never turns time back, a large one is taken over at once (SYNC-40)', async () => {
  const { deps, databaseMs, machine, move } = stage([1]);
  const clock = await startDatabaseClock(deps);
  machine.advance(61_000);
  await clock.measure();
  for (const ms of [-50, 50]) {
    move(ms);
    machine.advance(61_000);
    let last = clock.preciseNow();
    await clock.measure();
    for (let step = 0; step < 60; step += 1) {
      machine.advance(100);
      expect(clock.preciseNow()).toBeGreaterThan(last);
      last = clock.preciseNow();
    }
    expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(4);
  }
  move(hourMs);
  await clock.measure();
  expect(Math.abs(clock.preciseNow() - databaseMs())).toBeLessThanOrEqual(4);
});

test('a machine clock that is far off is logged (SYNC-40)', async () => {
  const { deps, events } = stage([1]);
  await startDatabaseClock(deps);
  expect(events).toEqual([{ event: 'clock.machine-is-off', fields: { offMs: 3 * hourMs, uncertaintyMs: 1 } }]);
});

describeWithService(
  'the time of PostgreSQL',
  () => requestService('postgres'),
  ({ url }) => {
    test('is between the moments before and after it was asked (SYNC-40)', async () => {
      const own = await createDatabase(url);
      const { db, close } = openDatabase(own.url);
      const clock = await startDatabaseClock({
        ...stage([]).deps,
        askDatabase: () => databaseNowMs(db),
        monotonicMs: () => performance.now(),
      });
      const before = clock.preciseNow();
      const sentAtMs = performance.now();
      const asked = await databaseNowMs(db);
      const tripMs = performance.now() - sentAtMs;
      expect(asked).toBeGreaterThanOrEqual(before - tripMs);
      expect(asked).toBeLessThanOrEqual(clock.preciseNow() + tripMs);
      await close();
      await own.drop();
    });
  },
);
