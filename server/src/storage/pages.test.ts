import { turnsDuring } from '@tunemate/testkit/least-cpu';
import { expect, test } from 'vitest';
import { inPages, inParts, pageSize } from './pages.ts';

test.each([
  ['short lists', 50, 1],
  ['empty lists', 50, 0],
  ['pages of one list', 1, 50 * pageSize],
])('others are served between %s', async (_what, lists, rows) => {
  const read = (last: number | null): Promise<number[]> => {
    const from = last === null ? 0 : last + 1;
    return Promise.resolve(Array.from({ length: Math.min(pageSize, rows - from) }, (_, n) => from + n));
  };
  let found = 0;
  const turns = await turnsDuring(async () => {
    for (let n = 0; n < lists; n += 1) for await (const _row of inPages(read)) found += 1;
  });
  expect(found).toBe(lists * rows);
  expect(turns).toBeGreaterThanOrEqual(40);
});

test('of long answers that are read at once one goes on in each turn of the event loop', async () => {
  let inTurn = 0;
  let most = 0;
  let isOver = false;
  const watch = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(watch);
  };
  const read = (last: number | null, rows: number): Promise<number[]> => {
    inTurn += 1;
    const from = last === null ? 0 : last + 1;
    return Promise.resolve(Array.from({ length: rows }, (_, n) => from + n));
  };
  const answers = Array.from({ length: 10 }, () => inParts({ most: 100, partSize: 20, read, bytesOf: () => 1 }));
  // Each has begun.
  inTurn = 0;
  setImmediate(watch);
  for (const { rows } of await Promise.all(answers)) expect(rows).toEqual(Array.from({ length: 100 }, (_, n) => n));
  isOver = true;
  expect(most).toBe(1);
});
