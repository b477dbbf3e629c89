/** What opening the catalogue begins: copies of tracks in a folder that takes longer to read than the start waits. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { expect, test } from 'vitest';
import { createLog } from '../system/logging.ts';
import { migrate, openDatabase } from '../storage/database.ts';
import { exactCopies } from './media/exact-copies.ts';
import { openMediaLibrary } from './library/media-library.ts';
import { openCatalogue } from './open-catalogue.ts';

const media = join(import.meta.dirname, '../../../testkit/media');
const log = createLog('silent');

test('a library that is read for longer than the start waits keeps its copies, and has them once it is read', async () => {
  await using music = await makeTempDir('music');
  await using data = await makeTempDir('data');
  // More than are published while the folder is being read.
  for (let n = 0; n < 120; n += 1) await cp(join(media, 'tagged.mp3'), join(music.path, `${String(n)}.mp3`));
  const folder = join(data.path, 'exact-copies');
  const before = await openMediaLibrary({ folder: music.path, log });
  const rewrite = (_from: string, to: string) => cp(join(media, 'tagged.m4a'), to);
  const tracks = before.list().map((item) => ({ ...item, durationSeconds: null }));
  await exactCopies({ folder, log, findRewrite: async () => rewrite }).keepUp(tracks);
  const names = await readdir(folder);
  expect(names).toHaveLength(120);
  for (const name of names) await writeFile(join(folder, name), 'of an earlier start');

  const database = openDatabase(`sqlite:${join(data.path, 'tunemate.sqlite')}`);
  await migrate(database);
  const catalogue = await openCatalogue({
    ...{
      mediaDir: music.path,
      dataDir: data.path,
      youtubeApiKey: null,
      subsonic: null,
      youtubeApiUrl: '',
      limitScale: 1,
    },
    ...{ db: database.db, clock: createFakeClock(), log, patienceMs: 0 },
  });
  expect(catalogue.library.list().length).toBeLessThan(120);
  for (const track of tracks) await expect.poll(() => catalogue.copies.fileOf(track).mime).toBe('audio/mp4');
  await catalogue.close();
  await database.close();
  expect(await readdir(folder)).toEqual(names);
  for (const name of names) expect(await readFile(join(folder, name), 'utf8')).toBe('of an earlier start');
});
