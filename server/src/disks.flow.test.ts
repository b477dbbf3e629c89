/** The power of a real file system is cut under what the server and the operator's commands have just written. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coversEverything } from '@tunemate/testkit/extent';
import { operate } from '@tunemate/testkit/services/operate';
import { diskKinds, makePowerCutDisk } from '@tunemate/testkit/services/disks/power-cut-disk';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, nameWhole, writeWhole } from './system/whole-files.ts';

describe.runIf(coversEverything).each(diskKinds)('after a loss of power on %s', (kind) => {
  async function disk(skip: (why: string) => never) {
    const made = await makePowerCutDisk(kind).catch((error: unknown) => {
      if (error instanceof ServiceUnavailable) return skip(error.message);
      throw error;
    });
    onTestFinished(() => made.remove());
    return made;
  }
  const nothingRuns = () => Promise.resolve();

  test('a name stands for the whole, in folders that were made a moment before (BOOT-15)', async ({ skip }) => {
    const { path, cut } = await disk(skip);
    const folder = join(path, 'data', 'images');
    await makeFolder(folder);
    await writeWhole(join(folder, 'written'), 'a picture');
    await writeFile(join(folder, '.copy'), 'a copy');
    await nameWhole(join(folder, '.copy'), join(folder, 'copy'));
    await mkdir(join(path, 'unpacked'));
    await writeFile(join(path, 'unpacked', 'inside'), 'a picture of a backup');
    await nameWhole(join(path, 'unpacked'), join(folder, 'placed'));
    await cut(nothingRuns);
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    expect(await Promise.all(['written', 'copy', 'placed/inside'].map(read))).toEqual([
      'a picture',
      'a copy',
      'a picture of a backup',
    ]);
  });

  test('a restore that has said "Restored" is there, with what was acknowledged since (BACKUP-7)', async ({ skip }) => {
    const { path, cut } = await disk(skip);
    await using dir = await makeTempDir('disks');
    const source = join(dir.path, 'source');
    await mkdir(join(source, 'images'), { recursive: true });
    await makePeople(`sqlite:${join(source, 'tunemate.sqlite')}`, 3);
    const file = new SqliteDatabase(join(source, 'tunemate.sqlite'));
    file.exec(`insert into images (image_id, pair_id, uploader, width, height, bytes, created_at_ms, state)
      values ('one', 'a_b', 'a', 1, 1, 14, 0, 'sent')`);
    file.close();
    for (const size of ['full', 'preview']) await writeFile(join(source, 'images', `one.${size}.webp`), 'picture');
    const backup = join(dir.path, 'backup.tar.gz');
    expect(await operate(['backup', backup], { DATA_DIR: source })).toMatchObject({ exitCode: 0 });

    const data = join(path, 'data');
    expect(await operate(['restore', backup], { DATA_DIR: data })).toMatchObject({ exitCode: 0 });
    const server = await startServerProcess({ dataDir: data });
    onTestFinished(() => server.dispose());
    await makePeople(`sqlite:${join(data, 'tunemate.sqlite')}`, ['Since']);
    await cut(() => server.kill());
    await server.restart();
    expect(await server.stop()).toBe(0);
    const restored = new SqliteDatabase(join(data, 'tunemate.sqlite'), { readonly: true });
    expect(restored.prepare('select count(*) from users').pluck().get()).toBe(4);
    restored.close();
    for (const name of await readdir(join(data, 'images'))) {
      expect((await stat(join(data, 'images', name))).size).toBe(7);
    }
    expect(await readdir(join(data, 'images'))).toHaveLength(2);
  });
});
