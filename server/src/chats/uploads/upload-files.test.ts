/** The files of chat images, in real folders that are full, in the way or crowded. */
import { readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uploadFiles } from './upload-files.ts';

const image = { full: Buffer.from('full'), preview: Buffer.from('preview'), width: 4, height: 3 };
let dir: Awaited<ReturnType<typeof makeTempDir>>;
beforeEach(async () => {
  dir = await makeTempDir('images');
});
afterEach(() => dir.remove());

describe('saving', () => {
  test('makes the folder when it is first needed, and leaves nothing half written', async () => {
    const folder = join(dir.path, 'images');
    await uploadFiles(folder).save('one', image);
    expect((await readdir(folder)).toSorted()).toEqual(['one.full.webp', 'one.preview.webp']);
  });

  test('a folder that can’t be made is a failure of the server, with its cause for the log', async () => {
    const folder = join(dir.path, 'in-the-way');
    await writeFile(folder, 'a file');
    const failure = { code: 'server/unavailable', message: 'upload.not-saved', cause: { code: 'EEXIST' } };
    await expect(uploadFiles(folder).save('one', image)).rejects.toMatchObject(failure);
  });

  test('a full disk has its own error', async () => {
    // Linux's own full device stands for the disk.
    await symlink('/dev/full', join(dir.path, 'one.full.webp.part'));
    await expect(uploadFiles(dir.path).save('one', image)).rejects.toMatchObject({ code: 'server/storage-full' });
  });
});

describe('files that are no longer needed', () => {
  const all = async (files: ReturnType<typeof uploadFiles>, beforeMs: number) => {
    const batches: string[][] = [];
    for await (const batch of files.untouchedSince(beforeMs)) batches.push(batch);
    return batches;
  };

  test('come in batches, so that a crowded folder is never in memory as a whole', async () => {
    for (let n = 0; n < 501; n += 1) {
      const path = join(dir.path, `i${String(n)}.full.webp`);
      await writeFile(path, '');
      await utimes(path, 0, 1000);
    }
    const batches = await all(uploadFiles(dir.path), Date.now());
    expect(batches.map(({ length }) => length)).toEqual([500, 1]);
    expect(new Set(batches.flat()).size).toBe(501);
  });

  test('are old images and their halves, and nothing else that lies there', async () => {
    const files = uploadFiles(dir.path);
    for (const name of ['old.full.webp', 'half.preview.webp.part', 'notes.txt']) {
      await writeFile(join(dir.path, name), '');
      await utimes(join(dir.path, name), 0, 1000);
    }
    await files.save('young', image);
    expect((await all(files, 2_000_000)).flat().toSorted()).toEqual(['half', 'old']);
  });

  test('there are none where no folder was made yet, and removing what is not there is no error', async () => {
    const files = uploadFiles(join(dir.path, 'nowhere'));
    expect((await all(files, Date.now())).flat()).toEqual([]);
    await files.remove(['one']);
  });
});
