/** Backups of an installation whose pictures are in an object store, and the way back into a store or a folder. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operate } from '@tunemate/testkit/services/operate';
import { startS3, type TestS3 } from '@tunemate/testkit/services/s3';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { create, extract } from 'tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../storage/database.ts';
import { objectStore } from '../system/object-store.ts';

let s3: TestS3;
let other: TestS3;
let data: TempDir;
let target: TempDir;
let file: string;
beforeEach(async () => {
  [s3, other, data, target] = [
    await startS3(),
    await startS3('others'),
    await makeTempDir('data'),
    await makeTempDir('restored'),
  ];
  file = join(data.path, 'backup.tar.gz');
  const url = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
  await makePeople(url, 1);
  const database = openDatabase(url);
  for (const imageId of ['picture', 'recording', 'before', 'lost']) {
    const row = { pair_id: 'a_b', uploader: 'a', width: 1, height: 1, bytes: 4, created_at_ms: Date.now() };
    await database.db
      .insertInto('images')
      .values({ ...row, image_id: imageId, state: 'sent' })
      .execute();
  }
  await database.close();
  const store = objectStore(s3.account);
  for (const name of ['picture.full.webp', 'picture.preview.webp', 'recording.m4a', 'orphan.full.webp']) {
    await store.put(`images/${name}`, Buffer.from(name));
  }
  await mkdir(join(data.path, 'images'));
  for (const size of ['full', 'preview']) await writeFile(join(data.path, 'images', `before.${size}.webp`), size);
});
afterEach(async () => {
  for (const each of [s3, other]) await each.stop();
  for (const each of [data, target]) await each.remove();
});

const pictures = [
  ...['before.full.webp', 'before.preview.webp'],
  ...['picture.full.webp', 'picture.preview.webp', 'recording.m4a'],
];
const backUp = () => operate(['backup', file], { DATA_DIR: data.path, ...s3.env });
const objects = async ({ folder }: TestS3) =>
  (await readdir(join(folder, 'images')).catch(() => []))
    .filter((name) => name.endsWith('_object'))
    .map((name) => name.replace('._S3rver_object', ''))
    .toSorted();

test('a backup has the pictures of the store and of the folder, and restores them into another store', async () => {
  expect(await backUp()).toEqual({
    exitCode: 0,
    said: expect.stringMatching(/ 6 files\.\nPictures that lack a file in the object store: 1\.\n$/) as string,
  });
  const restored = await operate(['restore', file], { DATA_DIR: target.path, ...other.env });
  expect(restored.exitCode).toBe(0);
  expect(await objects(other)).toEqual(pictures);
  expect(await readFile(join(other.folder, 'images', 'recording.m4a._S3rver_object'), 'utf8')).toBe('recording.m4a');
  expect((await readdir(target.path)).filter((name) => name === 'images')).toEqual([]);
});

test('a backup of a store restores into a folder', async () => {
  await backUp();
  expect((await operate(['restore', file], { DATA_DIR: target.path })).exitCode).toBe(0);
  expect((await readdir(join(target.path, 'images'))).toSorted()).toEqual(pictures);
});

test('a store that fails ends a backup or a restore with one line, and nothing is changed', async () => {
  s3.fail(500, /images/);
  const failed = await backUp();
  expect(failed).toEqual({ exitCode: 1, said: expect.stringMatching(/^The object store [^\n]+\n$/) as string });
  expect((await readdir(data.path)).filter((name) => name.includes('backup'))).toEqual([]);
  s3.fail('cut', /images/);
  expect((await backUp()).exitCode).toBe(1);
  s3.fail(null);
  await backUp();
  other.fail(403);
  const refused = await operate(['restore', file], { DATA_DIR: target.path, ...other.env });
  expect(refused).toEqual({ exitCode: 1, said: expect.stringMatching(/does not accept the key[^\n]+\n$/) as string });
  expect(refused.said).not.toContain('S3RVER');
  expect(await readdir(target.path)).toEqual([]);
});

test('a backup that names something else than pictures puts nothing into the store', async () => {
  await backUp();
  const unpacked = join(data.path, 'unpacked');
  await mkdir(unpacked);
  await extract({ file, cwd: unpacked });
  const manifest = await readFile(join(unpacked, 'manifest.json'), 'utf8');
  await writeFile(
    join(unpacked, 'manifest.json'),
    manifest.replace('images/before.full.webp', 'images/../manifest.json'),
  );
  const odd = join(data.path, 'odd.tar.gz');
  await create({ file: odd, cwd: unpacked, gzip: true }, ['manifest.json', 'tunemate.sqlite', 'images']);
  other.asked.length = 0;
  expect((await operate(['restore', odd], { DATA_DIR: target.path, ...other.env })).exitCode).toBe(1);
  expect(other.asked).toEqual([]);
});
