/** Copies of what people play, on a disk that goes away and comes back. */
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { latestCopies } from './latest-copies.ts';
import { mediaWork } from './media-work.ts';

test('are made again once their folder can be made, however many were wanted meanwhile', async () => {
  await using dir = await makeTempDir('latest');
  const disk = join(dir.path, 'disk');
  await writeFile(disk, 'no folder');
  let [looked, failed] = [0, 0];
  const log = { ...createLog('silent'), warn: () => void (failed += 1) };
  const findRewrite = () => Promise.resolve((looked += 1) > 0 ? () => Promise.resolve() : null);
  const work = mediaWork({ dataDir: disk, log });
  const copies = await latestCopies('even-copies', { work, findRewrite });
  const make = async ({ to }: { to: string }) => {
    await writeFile(to, 'a copy');
    return true;
  };
  for (let n = 1; n <= 60; n += 1) {
    copies.want(`track-${String(n)}`, 'A track', make);
    await expect.poll(() => failed, { interval: 1 }).toBe(n);
  }
  await rm(disk);
  copies.want('late', 'A track', make);
  await expect.poll(() => copies.of('late')).not.toBeNull();
  await work.close();
});

test('what a killed server left unfinished is removed an hour later', async () => {
  await using dir = await makeTempDir('latest');
  const left = ['.one.m4a', '.one.m4a.raw', '.two.m4a', 'whole.m4a'];
  const folder = join(dir.path, 'even-copies');
  await mkdir(folder);
  for (const name of left) await writeFile(join(folder, name), 'music');
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of ['.one.m4a', '.one.m4a.raw', 'whole.m4a']) await utimes(join(folder, name), longAgo, longAgo);
  const work = mediaWork({ dataDir: dir.path, log: createLog('silent') });
  const copies = await latestCopies('even-copies', { work, findRewrite: async () => null });
  expect((await readdir(folder)).sort()).toEqual(['.two.m4a', 'whole.m4a']);
  expect(copies.of('whole')).not.toBeNull();
  await work.close();
});
