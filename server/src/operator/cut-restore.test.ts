/** A restore that was killed: no server fills what it left, and once more it comes to its end. */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { operate } from '@tunemate/testkit/services/operate';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { insertUser } from '@tunemate/testkit/worlds/people';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, openDatabase } from '../storage/database.ts';

describeWithService(
  'a restore that was cut off',
  () => requestService('postgres'),
  ({ url: server }) => {
    async function stage(cut: readonly string[]) {
      const dir = await makeTempDir('cut-restore');
      const { url, drop } = await createDatabase(server);
      const database = openDatabase(url);
      await migrate(database);
      await insertUser(database.db, { name: 'Ada', nowMs: 1 });
      await database.close();
      const env = { DATA_DIR: join(dir.path, 'data'), DATABASE_URL: url };
      const file = join(dir.path, 'backup.tar.gz');
      expect(await operate(['backup', file], env)).toMatchObject({ exitCode: 0 });
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const statement of cut) await client.query(statement);
      await client.end();
      const close = async () => {
        await drop();
        await dir.remove();
      };
      return { url, env, file, close };
    }
    const aside = 'alter schema public rename to tunemate_before_restore';
    const fresh = 'create schema public';

    test.each([
      ['before it made room for them', [aside]],
      ['before the tables of the backup', [aside, fresh]],
    ])('%s stops a start, and is repeated with --replace (BACKUP-6)', async (_where, cut) => {
      const { url, env, file, close } = await stage(cut);
      const database = openDatabase(url);
      await expect(migrate(database)).rejects.toThrow('database.half-restored');
      await database.close();
      expect(await operate(['restore', file], env)).toMatchObject({
        exitCode: 1,
        said: expect.stringContaining('--replace') as string,
      });
      expect(await operate(['restore', file, '--replace'], env)).toMatchObject({
        exitCode: 0,
        said: expect.stringContaining('1 accounts') as string,
      });
      const after = openDatabase(url);
      await migrate(after);
      expect(await after.db.selectFrom('users').select('name').execute()).toEqual([{ name: 'Ada' }]);
      await after.close();
      await close();
    });
  },
);

test('a restore of SQLite that was cut off stops a start, and is repeated with --replace (BACKUP-6)', async () => {
  const dir = await makeTempDir('cut-restore');
  const data = join(dir.path, 'data');
  await mkdir(data);
  const url = `sqlite:${data}/tunemate.sqlite`;
  const before = openDatabase(url);
  await migrate(before);
  await insertUser(before.db, { name: 'Ada', nowMs: 1 });
  await before.close();
  const env = { DATA_DIR: data };
  const file = join(dir.path, 'backup.tar.gz');
  expect(await operate(['backup', file], env)).toMatchObject({ exitCode: 0 });
  // Killed before the database of the backup was put in place.
  await mkdir(join(data, 'replaced-2026'));
  await mkdir(join(data, '.tunemate-restore'));
  await rename(join(data, 'tunemate.sqlite'), join(data, 'replaced-2026', 'tunemate.sqlite'));
  expect(() => openDatabase(url)).toThrow('database.half-restored');
  expect(await operate(['restore', file], env)).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining('--replace') as string,
  });
  expect(() => openDatabase(url)).toThrow('database.half-restored');
  expect(await operate(['restore', file, '--replace'], env)).toMatchObject({ exitCode: 0 });
  const after = openDatabase(url);
  expect(await after.db.selectFrom('users').select('name').execute()).toEqual([{ name: 'Ada' }]);
  await after.close();
  await dir.remove();
});
