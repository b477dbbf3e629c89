/** Rights of files, on the real file system. */
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makePrivateFile, makePrivateFolder, narrow } from './private-files.ts';

let dir: Awaited<ReturnType<typeof makeTempDir>>;
beforeEach(async () => {
  dir = await makeTempDir('private');
});
afterEach(() => dir.remove());

const rightsOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('files of the owner alone', () => {
  test('a new file and a new folder are the owner’s alone (BOOT-11)', async () => {
    const folder = join(dir.path, 'a', 'b');
    await makePrivateFolder(folder);
    await makePrivateFile(join(folder, 'file'));
    expect([await rightsOf(folder), await rightsOf(join(folder, 'file'))]).toEqual(['700', '600']);
  });

  test('folders that are there already, and one that two make at once, are taken as they are', async () => {
    const folder = join(dir.path, 'a', 'b');
    await Promise.all([makePrivateFolder(folder), makePrivateFolder(folder)]);
    await makePrivateFolder(folder);
    expect(await rightsOf(folder)).toBe('700');
  });

  test('a folder where no folder can be is refused', async () => {
    const file = join(dir.path, 'file');
    await writeFile(file, '');
    await expect(makePrivateFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makePrivateFolder(join(file, 'inside'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  // Nothing can be made in /proc, which says that the folder above is missing.
  test.runIf(existsSync('/proc/self'))('a folder of a system without files is refused', async () => {
    await expect(makePrivateFolder('/proc/tunemate/data')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('what was left open to others is closed to them, and keeps what is in it (BOOT-11)', async () => {
    const file = join(dir.path, 'file');
    await writeFile(file, 'kept');
    await chmod(file, 0o644);
    await makePrivateFile(file);
    expect([await rightsOf(file), await readFile(file, 'utf8')]).toEqual(['600', 'kept']);
  });

  test('a file that does not exist needs no narrowing, and one that can’t be reached is said (BOOT-11)', async () => {
    await narrow(join(dir.path, 'nothing'));
    const file = join(dir.path, 'file');
    await writeFile(file, '');
    await expect(narrow(join(file, 'inside'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makePrivateFile(join(file, 'inside'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
