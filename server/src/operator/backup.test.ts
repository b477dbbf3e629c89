/** Backups under real traffic, and the way back from them. */
import { spawn } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile, utimes } from 'node:fs/promises';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, makePeople } from '@tunemate/testkit/worlds/crowd';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import { operate, operateProgram } from '@tunemate/testkit/services/operate';
import { startServerProcess, neededByPrograms } from '@tunemate/testkit/services/process';
import { m4aBytes, webpBytes } from '@tunemate/testkit/media-bytes';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import SqliteDatabase from 'better-sqlite3';
import { create, extract } from 'tar';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startS3, type TestS3 } from '@tunemate/testkit/services/programs/s3';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { openDatabase, migrate } from '../storage/database.ts';
import { objectStore } from '../system/store/object-store.ts';

/** Rows that make the database large enough for a backup to take a while. */
async function addBulk(url: string): Promise<void> {
  const database = openDatabase(url);
  const answer = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('');
  for (let n = 0; n < 40; n += 1) {
    await database.db
      .insertInto('catalogue_cache')
      .values({ key: `bulk ${String(n)}`, answer, at_ms: 0 })
      .execute();
  }
  await database.close();
}

async function clientIdsIn(url: string): Promise<Set<string>> {
  const database = openDatabase(url);
  const rows = await database.db.selectFrom('private_messages').select('client_id').execute();
  await database.close();
  return new Set(rows.map((row) => row.client_id));
}

describeEachDialect('a backup beside a running server', (makeDatabaseUrl, dialect) => {
  test('has everything that was acknowledged before it began, and writes go on beside it (BACKUP-1, BACKUP-6)', async () => {
    await using data = await makeTempDir('backup');
    await using target = await makeTempDir('restored');
    const isFile = dialect === 'sqlite';
    const url = isFile ? `sqlite:${join(data.path, 'tunemate.sqlite')}` : await makeDatabaseUrl();
    const settingsOf = (dataDir: string, database: string) => ({
      DATA_DIR: dataDir,
      ...(isFile ? {} : { DATABASE_URL: database }),
    });
    const [ada, ben] = await makePeople(url, 2);
    if (!ada || !ben) throw new Error('nobody');
    await makeTunemates(url, [[ada, ben]]);
    await addBulk(url);
    const image = 'aBcdefghijklmnopqrstu1';
    await addImage(url, data.path, image);
    const env = settingsOf(data.path, url);
    const server = await startServerProcess({ dataDir: data.path, env: { ...env, RATE_LIMIT_SCALE: '0' } });
    const { ask, line } = await connect(server.url, ada);
    const acknowledged: string[] = [];
    let writesMs = 0;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        const [clientId, startMs] = [newClientId(), performance.now()];
        await ask('chats/send', { clientId, uid: ben.uid, text: 'one more' });
        acknowledged.push(clientId);
        writesMs += performance.now() - startMs;
        // Without a rest the writing itself would be what keeps the backup from its end.
        await pause(10);
      }
    })();
    const msPerWrite = async (work: () => Promise<unknown>) => {
      const [countBefore, msBefore] = [acknowledged.length, writesMs];
      await work();
      return (writesMs - msBefore) / (acknowledged.length - countBefore);
    };
    const file = join(data.path, 'backup.tar.gz');
    // The same program, which only reads its arguments, takes its part of the processor in both halves.
    const alone = await msPerWrite(() => operateProgram(['backup', '--help'], env));
    const before = [...acknowledged];
    const beside = await msPerWrite(async () => {
      expect(await operateProgram(['backup', file], env)).toEqual({
        exitCode: 0,
        said: expect.stringMatching(/^Wrote .+ 2 accounts, 3 files\.\n$/) as string,
      });
    });
    isWriting = false;
    await writing;
    line.disconnect();
    await server.dispose();
    expect(beside).toBeLessThan(10 * alone);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const newUrl = isFile ? `sqlite:${join(target.path, 'tunemate.sqlite')}` : await makeDatabaseUrl({ isEmpty: true });
    const newEnv = settingsOf(target.path, newUrl);
    const restored = await operate(['restore', file], newEnv);
    expect(restored).toEqual({ exitCode: 0, said: expect.stringMatching(/^Restored .+: 2 accounts\.\n$/) as string });
    const kept = await clientIdsIn(newUrl);
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter((clientId) => !kept.has(clientId))).toEqual([]);
    expect(await readFile(join(target.path, 'images', `${image}.full.webp`))).toEqual(webpBytes('full'));
    // A server goes on with it.
    const again = await startServerProcess({ dataDir: target.path, env: newEnv });
    (await connect(again.url, ben)).line.disconnect();
    // Where something is, and while the server runs, nothing is restored.
    const refused = await operate(['restore', file, '--replace'], newEnv);
    expect(refused).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^A server or another program uses this database\. [^\n]+\n$/) as string,
    });
    await again.stop();
    expect((await operate(['restore', file], newEnv)).said).toMatch(/ is not empty\. Add --replace [^\n]+\n$/);
    const replaced = await operate(['restore', file, '--replace'], newEnv);
    expect(replaced).toEqual({
      exitCode: 0,
      said: expect.stringMatching(/What was there before is in .+\.\n$/) as string,
    });
    expect(await clientIdsIn(newUrl)).toEqual(kept);
    await again.dispose();
  });
});

test('a backup comes to its end on a busy machine', async () => {
  await using data = await makeTempDir('backup');
  await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, 1);
  const msToBackUp = async (name: string): Promise<number> => {
    const startMs = performance.now();
    const { exitCode } = await operateProgram(['backup', join(data.path, name)], { DATA_DIR: data.path });
    expect(exitCode).toBe(0);
    return performance.now() - startMs;
  };
  const neverRest = join(import.meta.dirname, '../../../scripts/never-rest.mjs');
  const start = () => spawn(process.execPath, [neverRest], { stdio: 'ignore' });
  const busy = Array.from({ length: 2 * availableParallelism() }, start);
  try {
    // Beside these it takes twice as long; at the lowest priority it took 13 times as long. Other tests slow one try or the
    // other, so each is compared with one that was made just before.
    let times = Infinity;
    for (let n = 0; n < 5 && times > 6; n += 1) {
      for (const program of busy) program.kill('SIGSTOP');
      const alone = await msToBackUp(`${String(n)}-alone.tar.gz`);
      for (const program of busy) program.kill('SIGCONT');
      times = Math.min(times, (await msToBackUp(`${String(n)}-beside.tar.gz`)) / alone);
    }
    expect(times).toBeLessThan(6);
  } finally {
    for (const program of busy) program.kill('SIGKILL');
  }
});

async function addImage(url: string, dataDir: string, image: string): Promise<void> {
  const database = openDatabase(url);
  const row = { pair_id: 'a_b', uploader: 'a', width: 1, height: 1, bytes: 4, created_at_ms: Date.now() };
  await database.db
    .insertInto('images')
    .values({ ...row, image_id: image, state: 'sent' })
    .execute();
  await database.close();
  await mkdir(join(dataDir, 'images'));
  for (const size of ['full', 'preview'])
    await writeFile(join(dataDir, 'images', `${image}.${size}.webp`), webpBytes(size));
}

describe('a restore', () => {
  async function aBackup(folder: string): Promise<string> {
    await makePeople(`sqlite:${join(folder, 'tunemate.sqlite')}`, 1);
    const file = join(folder, 'backup.tar.gz');
    expect((await operate(['backup', file], { DATA_DIR: folder })).exitCode).toBe(0);
    return file;
  }

  test('refuses a file that is damaged, changed, or no backup, and changes nothing (BACKUP-3)', async () => {
    await using dir = await makeTempDir('backup');
    await using target = await makeTempDir('restored');
    const file = await aBackup(dir.path);
    const bytes = await readFile(file);
    const cut = join(dir.path, 'cut.tar.gz');
    await writeFile(cut, bytes.subarray(0, bytes.length / 2));
    const other = join(dir.path, 'other.tar.gz');
    await writeFile(other, 'no archive at all');
    const changed = join(dir.path, 'changed.tar.gz');
    const unpacked = join(dir.path, 'unpacked');
    await mkdir(unpacked);
    await extract({ file, cwd: unpacked });
    const database = new SqliteDatabase(join(unpacked, 'tunemate.sqlite'));
    database.exec(`update users set name = 'somebody else'`);
    database.close();
    await create({ file: changed, cwd: unpacked, gzip: true }, ['manifest.json', 'tunemate.sqlite']);
    for (const each of [cut, other, changed, join(dir.path, 'none.tar.gz')]) {
      const { exitCode, said } = await operate(['restore', each], { DATA_DIR: target.path });
      expect({ each, exitCode, lines: said.split('\n').length }).toEqual({ each, exitCode: 1, lines: 2 });
      expect(await readdir(target.path)).toEqual([]);
    }
  });

  test('gives every file its mode again, and leaves out what the manifest does not name', async () => {
    await using dir = await makeTempDir('backup');
    await using target = await makeTempDir('restored');
    const url = `sqlite:${join(dir.path, 'tunemate.sqlite')}`;
    await makePeople(url, 1);
    await addImage(url, dir.path, 'aBcdefghijklmnopqrstu1');
    const file = join(dir.path, 'backup.tar.gz');
    await operate(['backup', file], { DATA_DIR: dir.path });
    const unpacked = join(dir.path, 'unpacked');
    await mkdir(unpacked);
    await extract({ file, cwd: unpacked });
    await writeFile(join(unpacked, 'images', 'more.sh'), 'no part of it');
    await symlink('/etc/passwd', join(unpacked, 'images', 'link.webp'));
    for (const path of ['tunemate.sqlite', 'images/aBcdefghijklmnopqrstu1.full.webp']) {
      await chmod(join(unpacked, path), 0o6777);
    }
    await chmod(join(unpacked, 'images'), 0o777);
    const odd = join(dir.path, 'odd.tar.gz');
    await create({ file: odd, cwd: unpacked, gzip: true }, ['manifest.json', 'tunemate.sqlite', 'images']);
    const { exitCode, said } = await operate(['restore', odd], { DATA_DIR: target.path });
    expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
    const modes = new Map<string, string>();
    for (const name of await readdir(target.path, { recursive: true })) {
      modes.set(name, ((await lstat(join(target.path, name))).mode & 0o7777).toString(8));
    }
    expect(Object.fromEntries(modes)).toEqual({
      images: '700',
      'images/aBcdefghijklmnopqrstu1.full.webp': '600',
      'images/aBcdefghijklmnopqrstu1.preview.webp': '600',
      'tunemate.sqlite': '600',
    });
  });

  test('wherever a backup was cut off, nothing of it is left behind (BACKUP-3)', async () => {
    await using dir = await makeTempDir('backup');
    const bytes = await readFile(await aBackup(dir.path));
    const cut = join(dir.path, 'cut.tar.gz');
    const left: number[] = [];
    for (let share = 0; share < 1; share += 1 / 200) {
      await using target = await makeTempDir('restored');
      await writeFile(cut, bytes.subarray(0, share * bytes.length));
      const { exitCode } = await operate(['restore', cut], { DATA_DIR: target.path });
      if (exitCode !== 1 || (await readdir(target.path)).length > 0) left.push(share);
    }
    expect(left).toEqual([]);
  });

  test('refuses a backup of a newer version', async () => {
    await using dir = await makeTempDir('backup');
    await using target = await makeTempDir('restored');
    await makePeople(`sqlite:${join(dir.path, 'tunemate.sqlite')}`, 1);
    const database = new SqliteDatabase(join(dir.path, 'tunemate.sqlite'));
    database.exec(`insert into kysely_migration values ('9999-of-tomorrow', '2099-01-01')`);
    database.close();
    const file = join(dir.path, 'backup.tar.gz');
    await operate(['backup', file], { DATA_DIR: dir.path });
    const { exitCode, said } = await operate(['restore', file], { DATA_DIR: target.path });
    expect({ exitCode, said }).toEqual({
      exitCode: 1,
      said: 'The backup is of a newer version of Tunemate. Update Tunemate, then restore it.\n',
    });
    expect(await readdir(target.path)).toEqual([]);
  });

  test('a backup says in one line why it can’t be written, and leaves nothing behind', async () => {
    await using dir = await makeTempDir('backup');
    const none = await operate(['backup', join(dir.path, 'b.tar.gz')], { DATA_DIR: join(dir.path, 'none') });
    expect(none).toEqual({ exitCode: 1, said: expect.stringMatching(/^There is no database at [^\n]+\n$/) as string });
    const file = await aBackup(dir.path);
    const twice = await operate(['backup', file], { DATA_DIR: dir.path });
    expect(twice).toEqual({ exitCode: 1, said: `${file} exists already. Name another file.\n` });
    expect((await readdir(dir.path)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

/** Backups of an installation whose pictures are in an object store, and the way back into a store or a folder. */
describe('object store', () => {
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
      await store.put(`images/${name}`, name.endsWith('.m4a') ? m4aBytes(name) : webpBytes(name));
    }
    await mkdir(join(data.path, 'images'));
    for (const size of ['full', 'preview'])
      await writeFile(join(data.path, 'images', `before.${size}.webp`), webpBytes(size));
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
      said: expect.stringMatching(
        / 6 files\.\nPictures that lack a file in the object store: 1 \(lost\)\.\n$/,
      ) as string,
    });
    const restored = await operate(['restore', file], { DATA_DIR: target.path, ...other.env });
    expect(restored.exitCode).toBe(0);
    expect(await objects(other)).toEqual(pictures);
    expect(await readFile(join(other.folder, 'images', 'recording.m4a._S3rver_object'))).toEqual(
      m4aBytes('recording.m4a'),
    );
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
});

/** A backup that is ended in the middle leaves nothing behind: it is a copy of everything that people wrote. */
describe('cut backup', () => {
  const program = join(import.meta.dirname, '../operate.ts');

  async function stage() {
    const dir = await makeTempDir('cut-backup');
    onTestFinished(() => dir.remove());
    const [data, backups] = [join(dir.path, 'data'), join(dir.path, 'backups')];
    for (const folder of [join(data, 'images'), backups]) await mkdir(folder, { recursive: true });
    const database = openDatabase(`sqlite:${join(data, 'tunemate.sqlite')}`);
    await migrate(database);
    const uploader = await insertUser(database.db, { name: 'Ada', nowMs: 1 });
    const picture = { image_id: 'endless', pair_id: 'a_b', uploader, width: 1, height: 1, bytes: 1 };
    await database.db
      .insertInto('images')
      .values({ ...picture, created_at_ms: 1, state: 'sent' })
      .execute();
    await database.close();
    return { backups, file: join(backups, 'backup.tar.gz'), env: { DATA_DIR: data } };
  }

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s in the middle of a backup leaves no copy behind',
    async (signal) => {
      const { backups, file, env } = await stage();
      // It is asked for the picture, and does not answer.
      const store = createServer();
      onTestFinished(() => store.closeAllConnections());
      store.listen(0, '127.0.0.1');
      await once(store, 'listening');
      const { port } = store.address() as AddressInfo;
      const account = { S3_ACCESS_KEY: 'a-key', S3_SECRET_KEY: 'a-secret' };
      const settings = { ...env, ...account, S3_URL: `http://127.0.0.1:${String(port)}/bucket` };
      const asked = once(store, 'request');
      const child = spawn(process.execPath, [program, 'backup', file], { env: { ...neededByPrograms(), ...settings } });
      onTestFinished(() => void child.kill('SIGKILL'));
      const ended = once(child, 'exit');
      await asked;
      const copied = await readdir(backups, { recursive: true });
      child.kill(signal);
      expect([(await ended)[0], copied.some((name) => name.endsWith('tunemate.sqlite'))]).toEqual([
        128 + constants.signals[signal],
        true,
      ]);
      expect(await readdir(backups)).toEqual([]);
      store.close();
    },
  );

  test('what a backup that was killed has left goes with the next one half a day later', async () => {
    const { backups, file, env } = await stage();
    const [left, packed, beside] = [
      '.tunemate-backup-aB3dE_',
      '.tunemate-backup-aB3dE_.part',
      '.tunemate-backup-new123',
    ];
    for (const name of [left, beside]) await mkdir(join(backups, name));
    await writeFile(join(backups, packed), 'half');
    await writeFile(join(backups, 'notes.txt'), '');
    const longAgo = Date.now() / 1000 - 13 * 60 * 60;
    for (const name of [left, packed, 'notes.txt']) await utimes(join(backups, name), longAgo, longAgo);
    expect(await operate(['backup', file], env)).toMatchObject({ exitCode: 0 });
    expect((await readdir(backups)).toSorted()).toEqual([beside, 'backup.tar.gz', 'notes.txt']);
  });
});
