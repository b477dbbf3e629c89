/** A backup that is ended in the middle leaves nothing behind: it is a copy of everything that people wrote. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { operate } from '@tunemate/testkit/services/operate';
import { neededByPrograms } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, openDatabase } from '../storage/database.ts';

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
  const [left, packed, beside] = ['.tunemate-backup-aB3dE_', '.tunemate-backup-aB3dE_.part', '.tunemate-backup-new123'];
  for (const name of [left, beside]) await mkdir(join(backups, name));
  await writeFile(join(backups, packed), 'half');
  await writeFile(join(backups, 'notes.txt'), '');
  const longAgo = Date.now() / 1000 - 13 * 60 * 60;
  for (const name of [left, packed, 'notes.txt']) await utimes(join(backups, name), longAgo, longAgo);
  expect(await operate(['backup', file], env)).toMatchObject({ exitCode: 0 });
  expect((await readdir(backups)).toSorted()).toEqual([beside, 'backup.tar.gz', 'notes.txt']);
});
