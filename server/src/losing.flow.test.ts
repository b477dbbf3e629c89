/** What a start and the operator's commands must not lose: the real server on folders that are not as it left them. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operate } from '@tunemate/testkit/services/operate';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect, makePeople } from '@tunemate/testkit/worlds/crowd';
import { cutRestores } from '@tunemate/testkit/losses/cut-restores';
import type { Person } from '@tunemate/testkit/worlds/people';
import { movableClock, storedTimes } from '@tunemate/testkit/losses/stored-times';
import { coversEverything } from '@tunemate/testkit/extent';
import { failingStart } from '@tunemate/testkit/services/failing-start';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './storage/database.ts';

/** A folder with two accounts and a picture, as a server leaves it that was killed. */
async function usedFolder() {
  const dir = await makeTempDir('losing');
  onTestFinished(() => dir.remove());
  const data = join(dir.path, 'data');
  const server = await startServerProcess({ dataDir: data });
  await makePeople(`sqlite:${join(data, 'tunemate.sqlite')}`, 2);
  await server.kill();
  await mkdir(join(data, 'images'), { recursive: true });
  await writeFile(join(data, 'images', 'one.full.webp'), 'picture');
  return { dir: dir.path, data, file: join(data, 'tunemate.sqlite') };
}

/** Name and size of everything in a folder. */
async function contentsOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return names;
}

function peopleIn(file: string): number {
  const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    return Number(database.prepare('select count(*) from users').pluck().get());
  } finally {
    database.close();
  }
}

describe('a start on a folder whose database is gone', () => {
  test.each([
    ['deleted beside its log', async (file: string) => rm(file)],
    ['emptied beside its log', async (file: string) => truncate(file, 0)],
    [
      'deleted beside pictures alone',
      async (file: string) => {
        for (const each of ['', '-wal', '-shm']) await rm(`${file}${each}`, { force: true });
      },
    ],
    [
      'moved into the folder of a restore',
      async (file: string) => {
        const aside = join(file, '../replaced-2026');
        await mkdir(aside);
        for (const each of ['tunemate.sqlite', 'tunemate.sqlite-wal', 'tunemate.sqlite-shm', 'images'])
          await rename(join(file, '..', each), join(aside, each));
      },
    ],
  ])('%s: it is refused in one line and nothing is touched (BOOT-13)', async (_what, lose) => {
    const { data, file } = await usedFolder();
    await lose(file);
    const before = await contentsOf(data);
    const { exitCode, said } = await failingStart({ DATA_DIR: data });
    expect({ exitCode, said }).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^The database file .+tunemate\.sqlite is (?:missing|empty)[^\n]+\n$/) as string,
    });
    expect(await contentsOf(data)).toEqual(before);
  });

  test('a folder whose first start ended before anything was stored starts', async () => {
    await using dir = await makeTempDir('losing');
    await writeFile(join(dir.path, 'tunemate.sqlite'), '');
    const server = await startServerProcess({ dataDir: dir.path });
    expect(await server.stop()).toBe(0);
    await server.dispose();
  });
});

test('a restore that was cut off stops the real start until it is repeated (BACKUP-6)', async () => {
  const { dir, data, file } = await usedFolder();
  const env = { DATA_DIR: data };
  const backup = join(dir, 'backup.tar.gz');
  await rm(join(data, 'images'), { recursive: true });
  await mkdir(join(data, 'images'));
  expect(await operate(['backup', backup], env)).toMatchObject({ exitCode: 0 });
  for (const each of ['', '-wal', '-shm']) await rm(`${file}${each}`, { force: true });
  await mkdir(join(data, '.tunemate-restore'));
  expect(await failingStart(env)).toEqual({
    exitCode: 1,
    said: 'A restore was cut off before it was done. Run it once more, with --replace.\n',
  });
  expect(existsSync(file)).toBe(false);
  // Also once a server of an earlier version has made an empty one.
  await writeFile(file, '');
  expect(await failingStart(env)).toMatchObject({ exitCode: 1 });
  expect(await operate(['restore', backup, '--replace'], env)).toMatchObject({ exitCode: 0 });
  expect(peopleIn(file)).toBe(2);
  const server = await startServerProcess({ dataDir: data });
  expect(await server.stop()).toBe(0);
});

test.runIf(coversEverything)(
  'a restore that is killed at any of its renames never leads to an empty start (BACKUP-6)',
  async () => {
    const { kills, empty, wrong } = await cutRestores({ most: 6, calls: ['rename'], pictures: 1 });
    expect({ empty, wrong }).toEqual({ empty: 0, wrong: [] });
    expect(kills).toBeGreaterThan(4);
  },
);

test('a second server on the same SQLite folder is refused in one line, and the first goes on (BOOT-14)', async () => {
  await using dir = await makeTempDir('losing');
  const first = await startServerProcess({ dataDir: dir.path });
  onTestFinished(() => first.dispose());
  expect(await failingStart({ DATA_DIR: dir.path })).toEqual({
    exitCode: 1,
    said: expect.stringMatching(/^Another server uses the database file [^\n]+\n$/) as string,
  });
  expect((await fetch(`${first.url}/readyz`)).ok).toBe(true);
  await first.kill();
  await first.restart();
});

describe('a start with the clock behind', () => {
  const dayMs = 24 * 60 * 60 * 1000;

  test.each([3.5, 400])('by %d days is refused in one line, and changes no stored time (TIME-2)', async (days) => {
    const { data, file } = await usedFolder();
    const database = openDatabase(`sqlite:${file}`);
    for (let ago = 0; ago < 20; ago += 1) {
      const at = { created_at_ms: Date.now() - ago * dayMs, next_attempt_at_ms: Date.now() - ago * dayMs };
      const mail = { id: String(ago), recipient: 'a@b', subject: 'a', text: 'a', html: 'a', refused_with: null };
      await database.db
        .insertInto('mails')
        .values({ ...mail, ...at, sent_at_ms: null })
        .execute();
    }
    await database.close();
    const before = await storedTimes(file);
    const env = { DATA_DIR: data, WRONG_CLOCK_MS: String(-days * dayMs) };
    expect(await failingStart(env, movableClock)).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^This machine's clock says 20[^\n]+npm run admin -- clock\n$/) as string,
    });
    expect(await storedTimes(file)).toEqual(before);
  });

  test('that was ahead before goes on once the operator says so (TIME-2)', async () => {
    const dir = await makeTempDir('losing');
    onTestFinished(() => dir.remove());
    const env = { DATA_DIR: join(dir.path, 'data') };
    const file = join(env.DATA_DIR, 'tunemate.sqlite');
    const ahead = { WRONG_CLOCK_MS: String(3 * dayMs) };
    const first = await startServerProcess({ dataDir: env.DATA_DIR, env: ahead, nodeFlags: movableClock });
    const [mara] = (await makePeople(`sqlite:${file}`, 1)) as [Person];
    const { line } = await connect(first.url, mara);
    line.disconnect();
    await first.kill();
    expect(await failingStart(env)).toMatchObject({ exitCode: 1 });
    const asked = await operate(['clock'], env);
    expect(asked).toMatchObject({ exitCode: 0, said: expect.stringMatching(/processes +1/) as string });
    expect(await failingStart(env)).toMatchObject({ exitCode: 1 });
    const made = (await storedTimes(file))['users.created_at_ms'];
    expect(await operate(['clock', '--yes'], env)).toMatchObject({ exitCode: 0 });
    expect((await storedTimes(file))['users.created_at_ms']).toEqual(made);
    const server = await startServerProcess({ dataDir: env.DATA_DIR });
    expect(await server.stop()).toBe(0);
  });
});
