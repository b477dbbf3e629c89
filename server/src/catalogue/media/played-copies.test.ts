/** Which tracks of a source that is not this machine are copied and measured once a page plays them. */
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, onTestFinished, test } from 'vitest';
import { bundledLibrary } from '../../paths.ts';
import { createLog } from '../../system/logging.ts';
import { openMediaLibrary } from '../library/media-library.ts';
import { plainItem } from '../library/library-item.ts';
import type { Source } from '../sources/source.ts';
import { mediaWork } from './media-work.ts';
import { mostCopiedBytes, playedCopies } from './played-copies.ts';

async function stage(isLoudnessKnown: boolean) {
  const dir = await makeTempDir('played');
  const log = createLog('silent');
  const work = mediaWork({ dataDir: dir.path, log });
  onTestFinished(async () => {
    await work.close();
    await dir.remove();
  });
  const file = (await openMediaLibrary({ folder: bundledLibrary, log })).list().find(({ kind }) => kind === 'audio');
  if (file === undefined) throw new Error('no track');
  const at = { source: 'elsewhere', id: 'one', bytes: 1000 };
  const track = { ...plainItem(file), path: '', seeksExactly: false, at };
  const [fetched, measured]: [string[], string[]] = [[], []];
  const fileOf: Source['fileOf'] = async ({ title }, to) => {
    fetched.push(title);
    await writeFile(to, 'as it came');
    return to;
  };
  const copies = await playedCopies({
    work,
    findRewrite: () => Promise.resolve((_from, to) => copyFile(file.path, to)),
    loudness: {
      needsMeasure: () => !isLoudnessKnown,
      measure: ({ title }) => Promise.resolve(measured.push(title) > 0),
    },
  });
  return { dir, track, copies, fileOf, fetched, measured };
}

test('one that browsers do not seek exactly is fetched once, measured and copied', async () => {
  const { track, copies, fileOf, fetched, measured } = await stage(false);
  expect(copies.of(track)).toBeNull();
  for (let n = 0; n < 3; n += 1) copies.want(track, fileOf);
  await expect.poll(() => copies.of(track)).toMatchObject({ mime: 'audio/mp4' });
  expect([fetched, measured]).toEqual([[track.title], [track.title]]);
});

test('one that is exact is fetched only to be measured, and one of more than a gigabyte never', async () => {
  const { dir, track, copies, fileOf, fetched, measured } = await stage(false);
  copies.want({ ...track, at: { ...track.at, bytes: mostCopiedBytes + 1 } }, fileOf);
  copies.want({ ...track, seeksExactly: true }, fileOf);
  await expect.poll(() => measured).toEqual([track.title]);
  expect(fetched).toEqual([track.title]);
  await expect.poll(() => readdir(join(dir.path, 'subsonic-copies'))).toEqual([]);
});

test('of one that is exact, and of which its source says how loud it is, nothing is fetched', async () => {
  const { track, copies, fileOf, fetched } = await stage(true);
  copies.want({ ...track, seeksExactly: true }, fileOf);
  copies.want(track, fileOf);
  await expect.poll(() => copies.of(track)).not.toBeNull();
  expect(fetched).toEqual([track.title]);
});
