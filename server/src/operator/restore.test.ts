import { mkdir, rename, cp, readdir, readFile, writeFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { operate } from '@tunemate/testkit/services/operate';
import { createDatabase } from '@tunemate/testkit/services/postgres';
import { describeWithService, requestService } from '@tunemate/testkit/services/request-service';
import { webpBytes } from '@tunemate/testkit/media-bytes';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { insertUser } from '@tunemate/testkit/worlds/people';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { mountSmallDisk, type SmallDisk } from '@tunemate/testkit/services/disks/small-disk';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';
import { createHash } from 'node:crypto';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { create, extract } from 'tar';
import { migrate, openDatabase } from '../storage/database.ts';
import { runOperatorCommand } from './operator-program.ts';
import type { Manifest } from './backup.ts';

/** A restore that was killed: no server fills what it left, and once more it comes to its end. */
describe('cut restore', () => {
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
});

/** A disk that is full, and pictures on a disk of their own: a restore or a backup says so, and loses nothing. */
describeEachDialect('a disk', (makeDatabaseUrl, dialect) => {
  /** Until the test ends. Null where this machine forbids mounting. */
  async function diskAt(megabytes: number, at?: string): Promise<SmallDisk | null> {
    const disk = await mountSmallDisk(megabytes, at).catch((error: unknown) => {
      if (error instanceof ServiceUnavailable) return null;
      throw error;
    });
    onTestFinished(() => disk?.remove());
    return disk;
  }

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
    if (!disk) return skip('this machine forbids mounting');
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
    if (!disk) return skip('this machine forbids mounting');
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
      if (!disk) return skip('this machine forbids mounting');
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
    if (!disk) return skip('this machine forbids mounting');
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

/** What a backup or an order can't do: one line that says why, and everything as it was. */
describe('refusals', () => {
  let data: TempDir;
  let target: TempDir;
  beforeEach(async () => {
    [data, target] = [await makeTempDir('backup'), await makeTempDir('restored')];
  });
  afterEach(async () => {
    await Promise.all([data.remove(), target.remove()]);
  });

  const fileUrl = ({ path }: TempDir) => `sqlite:${join(path, 'tunemate.sqlite')}`;
  const refusal = (said: string | RegExp) => ({
    exitCode: 1,
    said: typeof said === 'string' ? `${said}\n` : (expect.stringMatching(said) as string),
  });

  /** A backup of what `url` holds, made anew after `change` was done to its parts. */
  async function altered(
    env: Record<string, string>,
    change: (folder: string, manifest: Manifest) => Promise<void> | void,
  ): Promise<string> {
    const [file, folder] = [join(data.path, 'whole.tar.gz'), join(data.path, 'parts')];
    expect(await operate(['backup', file], env)).toMatchObject({ exitCode: 0 });
    await mkdir(folder);
    await extract({ file, cwd: folder });
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
    await change(folder, manifest);
    await writeFile(path, JSON.stringify(manifest));
    const changed = join(data.path, 'changed.tar.gz');
    await create({ file: changed, cwd: folder, gzip: true }, await readdir(folder));
    return changed;
  }

  describeEachDialect('a restore', (makeDatabaseUrl, dialect) => {
    /** Settings of an installation with two people, and of an empty one. */
    async function settings() {
      const isFile = dialect === 'sqlite';
      const url = isFile ? fileUrl(data) : await makeDatabaseUrl();
      await makePeople(url, 2);
      const emptyUrl = isFile ? fileUrl(target) : await makeDatabaseUrl({ isEmpty: true });
      const env = { DATA_DIR: data.path, ...(isFile ? {} : { DATABASE_URL: url }) };
      const empty: Record<string, string> = { DATA_DIR: target.path, ...(isFile ? {} : { DATABASE_URL: emptyUrl }) };
      return { url, env, empty };
    }

    test('refuses a backup whose tables have other numbers of rows than it says (BACKUP-3)', async () => {
      const { env, empty } = await settings();
      const file = await altered(env, (_folder, { rows }) => void (rows['users'] = 3));
      expect(await operate(['restore', file], empty)).toEqual(
        refusal('The backup is damaged: rows of users are missing. Nothing was restored.'),
      );
      expect(await readdir(target.path)).toEqual([]);
      // Nothing is there, so that the whole one can be restored.
      expect(await operate(['restore', join(data.path, 'whole.tar.gz')], empty)).toMatchObject({ exitCode: 0 });
    });

    test('refuses a backup of a later form', async () => {
      const { env, empty } = await settings();
      const file = await altered(env, (_folder, manifest) => void (manifest.format = 2));
      expect(await operate(['restore', file], empty)).toEqual(
        refusal('This backup was made by a newer version of Tunemate. Update Tunemate, then restore it.'),
      );
    });

    test('refuses a backup of the other database (BACKUP-3)', async () => {
      const { env } = await settings();
      const file = await altered(env, () => undefined);
      const other = dialect === 'sqlite' ? { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } : {};
      const [is, wanted] = dialect === 'sqlite' ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL', 'SQLite'];
      expect(await operate(['restore', file], { DATA_DIR: target.path, ...other })).toEqual(
        refusal(`The backup is of ${is}, and the settings name ${wanted}. Nothing was restored.`),
      );
    });

    test('refuses a folder that holds something already, also beside an empty database (BACKUP-6)', async () => {
      const { env, empty } = await settings();
      const file = await altered(env, () => undefined);
      await writeFile(join(target.path, 'notes.txt'), 'mine');
      expect(await operate(['restore', file], empty)).toEqual(
        refusal(`${target.path} is not empty. Add --replace to put the backup in place of what is there.`),
      );
      expect(await readdir(target.path)).toEqual(['notes.txt']);
    });

    if (dialect === 'postgres')
      test('a dump that PostgreSQL can’t read leaves the tables as they were (BACKUP-3)', async () => {
        const { url, env } = await settings();
        const file = await altered(env, async (folder, { files }) => {
          const bytes = Buffer.from('no dump');
          await writeFile(join(folder, 'tunemate.dump'), bytes);
          const sha256 = createHash('sha256').update(bytes).digest('hex');
          files.splice(0, 1, { path: 'tunemate.dump', bytes: bytes.length, sha256 });
        });
        expect(await operate(['restore', file, '--replace'], env)).toEqual(refusal(/^pg_restore failed: [^\n]+\n$/));
        const database = openDatabase(url);
        const { rows } = await sql<{ people: number }>`select count(*) as people from users`.execute(database.db);
        await database.close();
        expect(Number(rows[0]?.people)).toBe(2);
      });

    test('an order on a database of an older version is refused', async () => {
      const { url, env } = await settings();
      const database = openDatabase(url);
      await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(
        database.db,
      );
      await database.close();
      expect(await operate(['people', 'find', 'Listener'], env)).toEqual(
        refusal('The database is of an older version. Start the server once, then try again.'),
      );
    });
  });

  describe('files that are not as they should be', () => {
    test('a backup without a name is called by its time, in the folder of the operator (BACKUP-1)', async () => {
      await makePeople(fileUrl(data), 1);
      const [env, said] = [{ DATA_DIR: data.path }, [] as string[]];
      const say = (text: string) => void said.push(text);
      expect(await runOperatorCommand(['backup'], { env, folder: target.path, say, complain: say })).toBe(0);
      const [name = ''] = await readdir(target.path);
      expect(name).toMatch(/^tunemate-\d{8}-\d{6}\.tar\.gz$/);
      expect(said.join('')).toContain(`Wrote ${join(target.path, name)}: 1 accounts`);
    });

    test('of a database that is none, and of a damaged one, there is no backup', async () => {
      const [env, path] = [{ DATA_DIR: data.path }, join(data.path, 'tunemate.sqlite')];
      const file = join(data.path, 'backup.tar.gz');
      await writeFile(path, 'words and no database '.repeat(200));
      expect(await operate(['backup', file], env)).toEqual(refusal(/^The database .+ can not be copied: [^\n]+\.\n$/));
      await writeFile(path, '');
      await makePeople(fileUrl(data), 200);
      // Somewhere in the middle, as a failing disk leaves it.
      const database = await open(path, 'r+');
      const { size } = await stat(path);
      await database.write(Buffer.alloc(size / 2, 0xee), 0, size / 2, size / 4);
      await database.close();
      expect(await operate(['backup', file], env)).toEqual(refusal(/^The database .+ can not be read: [^\n]+\.\n$/));
      expect((await readdir(data.path)).filter((name) => name.includes('backup'))).toEqual([]);
    });

    test('a damaged database is replaced, and kept aside (BACKUP-6)', async () => {
      await makePeople(fileUrl(data), 2);
      const file = join(data.path, 'backup.tar.gz');
      await operate(['backup', file], { DATA_DIR: data.path });
      await writeFile(join(target.path, 'tunemate.sqlite'), 'words and no database '.repeat(200));
      const { exitCode, said } = await operate(['restore', file, '--replace'], { DATA_DIR: target.path });
      expect({ exitCode, said }).toEqual({
        exitCode: 0,
        said: expect.stringMatching(/: 2 accounts\.\nWhat was /) as string,
      });
      const aside = /is in (.+)\.\n$/.exec(said)?.[1] ?? '';
      expect(await readFile(join(aside, 'tunemate.sqlite'), 'utf8')).toContain('words and no database');
    });

    async function namePictures(...ids: string[]): Promise<void> {
      await makePeople(fileUrl(data), 1);
      const database = new SqliteDatabase(join(data.path, 'tunemate.sqlite'));
      const insert = database.prepare(
        `insert into images (image_id, pair_id, uploader, width, height, bytes, created_at_ms, state)
       values (?, 'a_b', 'a', 1, 1, 4, 0, 'sent')`,
      );
      for (const id of ids) insert.run(id);
      database.close();
    }

    test('a picture whose files are gone is left out and reported, and the rest is backed up', async () => {
      await namePictures('here', 'half', 'gone');
      const images = join(data.path, 'images');
      await mkdir(images);
      for (const name of ['here.full', 'here.preview', 'half.full'])
        await writeFile(join(images, `${name}.webp`), webpBytes(name));
      const file = join(data.path, 'backup.tar.gz');
      const { exitCode, said } = await operate(['backup', file], { DATA_DIR: data.path });
      const lines = said.split('\n');
      expect([exitCode, lines[1], lines.length]).toEqual([
        0,
        `Pictures that lack a file in ${images}: 2 (gone, half).`,
        3,
      ]);
      expect(lines[0]).toMatch(/ 1 accounts, 4 files\.$/);
      expect(await operate(['restore', file], { DATA_DIR: target.path })).toMatchObject({ exitCode: 0 });
      expect((await readdir(join(target.path, 'images'))).sort()).toEqual([
        'half.full.webp',
        'here.full.webp',
        'here.preview.webp',
      ]);
    });

    test('a picture that is there and can’t be copied ends the backup, and so does a missing folder', async () => {
      await namePictures('here');
      const [images, file] = [join(data.path, 'images'), join(data.path, 'backup.tar.gz')];
      expect(await operate(['backup', file], { DATA_DIR: data.path })).toEqual(
        refusal(/^There is no folder .+images, and the database names 1 pictures\. Set DATA_DIR to [^\n]+\n$/),
      );
      // Neither linked nor copied as a file.
      await mkdir(join(images, 'here.full.webp'), { recursive: true });
      expect(await operate(['backup', file], { DATA_DIR: data.path })).toEqual(
        refusal(/^The picture .+here\.full\.webp can not be copied: [^\n]+\.\n$/),
      );
      expect((await readdir(data.path)).filter((name) => name.includes('backup'))).toEqual([]);
    });

    test('without a database, without a past, and after a bug each order says what it found', async () => {
      const env = { DATA_DIR: data.path };
      expect(await operate(['people', 'find', 'Ada'], env)).toEqual(
        refusal(
          `There is no database at ${join(data.path, 'tunemate.sqlite')}. Set DATA_DIR to the folder of the server.`,
        ),
      );
      await makePeople(fileUrl(data), 1);
      expect(await operate(['log'], env)).toEqual({ exitCode: 0, said: 'Nothing was ordered yet.\n' });
      const database = new SqliteDatabase(join(data.path, 'tunemate.sqlite'));
      database.exec('drop table operator_log');
      database.close();
      // Shown with its calls, as the server shows one.
      expect(await operate(['log'], env)).toEqual(refusal(/^SqliteError: no such table: operator_log\n {4}at /));
    });
  });
});
