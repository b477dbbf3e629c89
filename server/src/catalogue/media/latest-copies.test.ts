/** Copies of what people play, on a disk that goes away and comes back. */
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { latestCopies } from './latest-copies.ts';

test('are made again once their folder can be made, however many were wanted meanwhile', async () => {
  await using dir = await makeTempDir('latest');
  const folder = join(dir.path, 'disk', 'copies');
  await writeFile(dirname(folder), 'no folder');
  let [looked, failed] = [0, 0];
  const log = { ...createLog('silent'), warn: () => void (failed += 1) };
  const findRewrite = () => Promise.resolve((looked += 1) > 0 ? () => Promise.resolve() : null);
  const copies = await latestCopies({ folder, log, findRewrite });
  const make = async ({ to }: { to: string }) => {
    await writeFile(to, 'a copy');
    return true;
  };
  for (let n = 1; n <= 60; n += 1) {
    copies.want(`track-${String(n)}`, 'A track', make);
    await expect.poll(() => failed, { interval: 1 }).toBe(n);
  }
  await rm(dirname(folder));
  copies.want('late', 'A track', make);
  await expect.poll(() => copies.of('late')).not.toBeNull();
  await copies.close();
});

test('what a killed server left unfinished is removed an hour later', async () => {
  await using dir = await makeTempDir('latest');
  const left = ['.one.m4a', '.one.m4a.raw', '.two.m4a', 'whole.m4a'];
  for (const name of left) await writeFile(join(dir.path, name), 'music');
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of ['.one.m4a', '.one.m4a.raw', 'whole.m4a']) await utimes(join(dir.path, name), longAgo, longAgo);
  const copies = await latestCopies({ folder: dir.path, log: createLog('silent'), findRewrite: async () => null });
  expect((await readdir(dir.path)).sort()).toEqual(['.two.m4a', 'whole.m4a']);
  expect(copies.of('whole')).not.toBeNull();
  await copies.close();
});
