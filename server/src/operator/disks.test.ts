/** A disk that is full, and pictures on a disk of their own: a restore or a backup says so, and loses nothing. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { operate } from '@tunemate/testkit/services/operate';
import { mountSmallDisk, type SmallDisk } from '@tunemate/testkit/services/small-disk';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, openDatabase } from '../storage/database.ts';

/** Until the test ends. Null where this machine lets nobody mount. */
async function diskAt(megabytes: number, at?: string): Promise<SmallDisk | null> {
  const disk = await mountSmallDisk(megabytes, at).catch((error: unknown) => {
    if (error instanceof ServiceUnavailable) return null;
    throw error;
  });
  onTestFinished(() => disk?.remove());
  return disk;
}

describeEachDialect('a disk', (makeDatabaseUrl, dialect) => {
  async function stage() {
    const dir = await makeTempDir('disks');
    onTestFinished(() => dir.remove());
    const data = join(dir.path, 'data');
    await mkdir(join(data, 'images'), { recursive: true });
    const url = dialect === 'sqlite' ? `sqlite:${join(data, 'tunemate.sqlite')}` : await makeDatabaseUrl();
    const env = { DATA_DIR: data, ...(dialect === 'sqlite' ? {} : { DATABASE_URL: url }) };
    const addPerson = async (name: string) => {
      const database = openDatabase(url);
      await migrate(database);
      await insertUser(database.db, { name, nowMs: 1 });
      await database.close();
    };
    const names = async () => {
      const database = openDatabase(url);
      const rows = await database.db.selectFrom('users').select('name').orderBy('name').execute();
      await database.close();
      return rows.map(({ name }) => name);
    };
    await addPerson('Ada');
    const file = join(dir.path, 'backup.tar.gz');
    expect(await operate(['backup', file], env)).toMatchObject({ exitCode: 0 });
    return { data, env, file, addPerson, names };
  }

  test('of its own for pictures is kept by a restore, and what was on it is kept aside (BACKUP-6)', async ({
    skip,
  }) => {
    const { data, env, file, addPerson, names } = await stage();
    const disk = await diskAt(2, join(data, 'images'));
    if (!disk) return skip('this machine lets nobody mount');
    await writeFile(join(data, 'images', 'old.full.webp'), 'old');
    await addPerson('Bea');
    expect(await operate(['restore', file, '--replace'], env)).toMatchObject({ exitCode: 0 });
    expect(await names()).toEqual(['Ada']);
    expect(await readdir(join(data, 'images'))).toEqual([]);
    const kept = String((await readdir(data)).find((name) => name.startsWith('replaced-')));
    expect(await readFile(join(data, kept, 'images', 'old.full.webp'), 'utf8')).toBe('old');
  });

  test('that is full ends a restore, which says so and changes nothing (BACKUP-6)', async ({ skip }) => {
    const { env, file, addPerson, names } = await stage();
    const disk = await diskAt(2);
    if (!disk) return skip('this machine lets nobody mount');
    await addPerson('Bea');
    await disk.fill();
    const full = { ...env, DATA_DIR: join(disk.path, 'data') };
    expect(await operate(['restore', file, '--replace'], full)).toEqual({
      exitCode: 1,
      said: `The disk of ${full.DATA_DIR} is full. Nothing was restored.\n`,
    });
    expect(await names()).toEqual(['Ada', 'Bea']);
  });

  // A server that runs has the database open.
  if (dialect === 'sqlite')
    test('that is full under a database that no server uses is said as that', async ({ skip }) => {
      const { data } = await stage();
      const disk = await diskAt(4);
      if (!disk) return skip('this machine lets nobody mount');
      await cp(data, disk.path, { recursive: true });
      await disk.fill();
      const env = { DATA_DIR: disk.path };
      expect(await operate(['backup', `${data}.tar.gz`], env)).toEqual({
        exitCode: 1,
        said: `The disk of ${disk.path} is full, and the database on it can not be opened. Make some room first.\n`,
      });
      expect(await operate(['people', 'find', 'ada'], env)).toEqual({
        exitCode: 1,
        said: `The disk of ${join(disk.path, 'tunemate.sqlite')} is full.\n`,
      });
      await disk.free();
      expect(await operate(['backup', `${data}.tar.gz`], env)).toMatchObject({ exitCode: 0 });
    });

  test('that is full ends a backup, which says which disk', async ({ skip }) => {
    const { env } = await stage();
    const disk = await diskAt(2);
    if (!disk) return skip('this machine lets nobody mount');
    await disk.fill();
    const said = {
      sqlite: `The disk of ${disk.path} is full. No backup was written.\n`,
      postgres: 'pg_dump failed: pg_dump: error: could not write to output file: No space left on device\n',
    };
    expect(await operate(['backup', join(disk.path, 'backup.tar.gz')], env)).toEqual({
      exitCode: 1,
      said: said[dialect],
    });
    expect(await readdir(disk.path)).toEqual(['filling']);
  });
});
