import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from './floods.ts';

/** Takes for customers, and says who began in which order. */
function stage(bounds: { burst: number; perSecond: number }) {
  const clock = { ms: 0 };
  const pace = createPace(bounds, () => clock.ms);
  const began: string[] = [];
  return {
    ...{ clock, pace, began },
    take(customer: string, cost = 1) {
      const wait = pace.take(customer, cost);
      if (wait === undefined) began.push(customer);
      else void wait.then(() => began.push(customer));
    },
    async turns(count: number) {
      for (let n = 0; n < count; n += 1) await setImmediate();
    },
  };
}

test('one of each customer begins in a turn, so that nobody waits for the many of another', async () => {
  const { take, turns, began } = stage({ burst: 1000, perSecond: 1000 });
  for (let n = 0; n < 100; n += 1) take('many');
  take('one');
  expect(began).toEqual(['many', 'one']);
  await turns(5);
  take('one');
  expect(began.at(-1)).toBe('one');
  expect(began.length).toBeLessThan(20);
  await turns(200);
  expect(began).toHaveLength(102);
});

test('beyond its burst a customer goes at the pace, and others do not', async () => {
  const { take, turns, began, clock, pace } = stage({ burst: 10, perSecond: 1000 });
  for (let n = 0; n < 40; n += 1) take('many');
  await turns(100);
  // One more than the burst: what begins while it is not used up.
  expect(began).toHaveLength(11);
  expect(pace.waitingOf('many')).toBe(29);
  take('one');
  expect(began.at(-1)).toBe('one');
  clock.ms = 5;
  // The turn of anybody begins what waits.
  take('one');
  await turns(20);
  expect(began.filter((customer) => customer === 'many')).toHaveLength(16);
  clock.ms = 1000;
  take('one');
  await turns(60);
  expect(pace.waitingOf('many')).toBe(13);
});

test('who waits for the pace begins by the clock, without anybody else', async () => {
  const pace = createPace({ burst: 1, perSecond: 200 });
  const began = Array.from({ length: 5 }, async () => await pace.take('one', 1));
  await Promise.all(began);
  expect(pace.waitingOf('one')).toBe(0);
});

test('a large thing costs as many small ones', async () => {
  const { take, turns, began } = stage({ burst: 100, perSecond: 1000 });
  take('one', 101);
  take('one', 1);
  await turns(20);
  expect(began).toHaveLength(1);
});
