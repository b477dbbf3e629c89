/** A crowd that comes back: served in order, a few at a time; the server tells the rest when to come again. */
import { expect, test } from 'vitest';
import { helloAdmission } from './connection.ts';

/** Two at a time, three may wait; `nowMs` moves by hand. */
function crowd() {
  const time = { nowMs: 0 };
  const admission = helloAdmission(() => time.nowMs, { atOnce: 2, mostWaiting: 3 });
  const served: number[] = [];
  const leaving = new Map<number, () => void>();
  const come = (who: number) =>
    admission.enter().then((place) => {
      if (!place.ok) return place.error;
      served.push(who);
      leaving.set(who, place.value);
      return null;
    });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { time, come, served, leave: (who: number) => leaving.get(who)?.(), settle };
}

test('hellos are admitted a few at a time and in order, and a place that is given back serves the next', async () => {
  const { come, served, leave, settle } = crowd();
  const all = [1, 2, 3, 4, 5].map(come);
  await settle();
  expect(served).toEqual([1, 2]);
  leave(2);
  await settle();
  expect(served).toEqual([1, 2, 3]);
  for (const who of [1, 3]) leave(who);
  expect(await Promise.all(all)).toEqual([null, null, null, null, null]);
  expect(served).toEqual([1, 2, 3, 4, 5]);
});

test('connections without a place are refused with a time to wait, each longer than the one before', async () => {
  const { time, come, leave, settle } = crowd();
  for (const who of [1, 2, 3, 4, 5]) void come(who);
  await settle();
  expect(await come(6)).toEqual({ code: 'server/busy', retryAfterMs: 1000 });
  // A slow database: ten seconds a hello.
  for (const who of [1, 2, 3]) {
    time.nowMs += 10_000;
    leave(who);
    await settle();
    void come(10 + who);
  }
  const [sooner, later] = [await come(7), await come(8)];
  expect(sooner?.retryAfterMs).toBeGreaterThan(1000);
  expect(later?.retryAfterMs).toBeGreaterThan(sooner?.retryAfterMs ?? Infinity);
  expect(later?.retryAfterMs).toBeLessThanOrEqual(20_000);
});

test('time that passes shortens the wait, and a person who is refused again is not counted twice', async () => {
  const { time, come, leave, settle } = crowd();
  for (const who of [1, 2, 3, 4, 5]) void come(who);
  await settle();
  // A slow database: ten seconds a hello, so that the third refusal says twenty seconds at most.
  time.nowMs += 10_000;
  leave(1);
  await settle();
  void come(6);
  await settle();
  const waits = [await come(7), await come(8), await come(9)].map((refusal) => refusal?.retryAfterMs ?? 0);
  time.nowMs += waits[2] ?? 0;
  expect((await come(7))?.retryAfterMs).toBe(waits[0]);
});
