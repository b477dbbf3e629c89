/** What a backup or an order can't do: one line that says why, and everything as it was. */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { operate } from '@tunemate/testkit/services/operate';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { create, extract } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runOperatorCommand } from './operator-program.ts';
import { openDatabase } from '../storage/database.ts';
import type { Manifest } from './backup.ts';

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
    await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(database.db);
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
    for (const name of ['here.full', 'here.preview', 'half.full']) await writeFile(join(images, `${name}.webp`), name);
    const file = join(data.path, 'backup.tar.gz');
    const { exitCode, said } = await operate(['backup', file], { DATA_DIR: data.path });
    const lines = said.split('\n');
    expect([exitCode, lines[1], lines.length]).toEqual([0, `Pictures that lack a file in ${images}: 2.`, 3]);
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
