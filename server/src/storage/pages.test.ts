import { turnsDuring } from '@tunemate/testkit/least-cpu';
import { expect, test } from 'vitest';
import { inPages, pageSize } from './pages.ts';

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
