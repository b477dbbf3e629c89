/**
 * `restore --replace` is killed at many moments. After each the real server is started: it has what was there before or what
 * the backup has, or it refuses and the restore, run once more, brings the backup. It never starts empty.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../server/src/storage/database.ts';
import { webpBytes } from '../media-bytes.ts';
import { freePort } from '../services/free-port.ts';
import { operate } from '../services/operate.ts';
import { neededByPrograms } from '../services/process.ts';
import { makeTempDir } from '../services/temp-dir.ts';
import { makePeople } from '../worlds/crowd.ts';

const repository = join(import.meta.dirname, '../../..');
const [peopleBefore, peopleInBackup] = [3, 2];

export interface CutRestores {
  kills: number;
  /** The start refused, and the restore run once more brought the backup. */
  refused: number;
  asBefore: number;
  asBackup: number;
  /** A start without an account, or without a picture that the database names. */
  empty: number;
  /** Anything else, in words. */
  wrong: string[];
}

interface CutRestoresOptions {
  /** At most so many, evenly among all moments. */
  most: number;
  /** Only these calls of Node's `fs` count as moments. */
  calls?: readonly string[];
  pictures?: number;
}

export async function cutRestores(options: CutRestoresOptions): Promise<CutRestores> {
  const { most, calls, pictures = 4 } = options;
  await using dir = await makeTempDir('cut-restores');
  const [source, before, data] = ['source', 'before', 'data'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  await makeInstallation(source, peopleInBackup, pictures, 'backup');
  await makeInstallation(before, peopleBefore, pictures, 'before');
  const backup = join(dir.path, 'backup.tar.gz');
  assertDone(await operate(['backup', backup], { DATA_DIR: source }));

  const only = calls === undefined ? {} : { DIE_CALLS: calls.join(' ') };
  const anew = async () => {
    await rm(data, { recursive: true, force: true });
    await cp(before, data, { recursive: true });
  };
  await anew();
  const count = join(dir.path, 'count');
  await restore(backup, { DATA_DIR: data, DIE_COUNT: count, ...only });
  const moments = 2 * Number(await readFile(count, 'utf8'));
  const step = Math.max(1, moments / most);
  const report: CutRestores = { kills: 0, refused: 0, asBefore: 0, asBackup: 0, empty: 0, wrong: [] };
  for (let at = 0; at < moments; at += step) {
    await anew();
    const moment = String(Math.floor(at));
    const exit = await restore(backup, { DATA_DIR: data, DIE_AT: moment, ...only });
    // The number of calls differs a little from run to run: one may be done before its moment, which then kills nothing.
    if (exit === 'SIGKILL') report.kills += 1;
    else if (exit !== 0) report.wrong.push(`moment ${moment}: not killed but ${String(exit)}`);
    await judge(data, backup, moment, report);
  }
  return report;
}

async function makeInstallation(folder: string, people: number, pictures: number, what: string): Promise<void> {
  const images = join(folder, 'images');
  await mkdir(images, { recursive: true });
  const file = join(folder, 'tunemate.sqlite');
  await makePeople(`sqlite:${file}`, people);
  const { db, close } = openDatabase(`sqlite:${file}`);
  for (let n = 0; n < pictures; n += 1) {
    const row = { pair_id: 'a_b', uploader: 'a', width: 1, height: 1, bytes: 4, created_at_ms: 0 };
    await db
      .insertInto('images')
      .values({ ...row, image_id: `${what}${String(n)}`, state: 'sent' })
      .execute();
    for (const size of ['full', 'preview']) {
      await writeFile(join(images, `${what}${String(n)}.${size}.webp`), webpBytes(what));
    }
  }
  await close();
}

/** Answers its exit code or the signal that ended it. */
async function restore(backup: string, env: Record<string, string>): Promise<number | string | null> {
  const dieAt = join(repository, 'testkit/src/services/preloads/die-at.ts');
  const program = join(repository, 'server/src/operate.ts');
  const child = spawn(process.execPath, ['--import', dieAt, program, 'restore', backup, '--replace'], {
    env: { ...neededByPrograms(), ...env },
    stdio: 'ignore',
  });
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal ?? exitCode;
}

async function judge(data: string, backup: string, moment: string, report: CutRestores): Promise<void> {
  const start = await startOnce(data);
  if (!start.isReady) {
    if (!/^A restore was cut off before it was done\. [^\n]+\n$/.test(start.said)) {
      report.wrong.push(`moment ${moment}: the start said ${start.said}`);
    }
    const again = await operate(['restore', backup, '--replace'], { DATA_DIR: data });
    if (again.exitCode !== 0) report.wrong.push(`moment ${moment}: run once more it said ${again.said}`);
    report.refused += 1;
    const found = await stateOf(data);
    if (found !== 'backup') report.wrong.push(`moment ${moment}: run once more it left ${found}`);
    return;
  }
  const found = await stateOf(data);
  if (found === 'before') report.asBefore += 1;
  else if (found === 'backup') report.asBackup += 1;
  else report.empty += 1;
}

/** Whose accounts and pictures are there, all of them. */
async function stateOf(data: string): Promise<string> {
  const { db, close } = openDatabase(`sqlite:${join(data, 'tunemate.sqlite')}`);
  const people = (await db.selectFrom('users').select('uid').execute()).length;
  const named = (await db.selectFrom('images').select('image_id').execute()).map(({ image_id: id }) => id);
  await close();
  const files = await readdir(join(data, 'images')).catch((): string[] => []);
  const isWhole = named.every((id) => ['full', 'preview'].every((size) => files.includes(`${id}.${size}.webp`)));
  if (!isWhole || named.length === 0) return `${String(people)} accounts without their pictures`;
  if (people === peopleBefore && named[0]?.startsWith('before')) return 'before';
  return people === peopleInBackup && named[0]?.startsWith('backup') ? 'backup' : `${String(people)} accounts`;
}

/** Starts the real server, and ends it once it is ready. */
async function startOnce(data: string): Promise<{ isReady: boolean; said: string }> {
  const env = { HOST: '127.0.0.1', PORT: String(await freePort()), DATA_DIR: data };
  const child = spawn(process.execPath, [join(repository, 'server/src/main.ts')], {
    env: { ...neededByPrograms(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, isReady] = ['', false];
  child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
  child.stdout.on('data', (piece: Buffer) => {
    if (!piece.toString().includes('server.ready')) return;
    isReady = true;
    child.kill('SIGKILL');
  });
  await once(child, 'close');
  return { isReady, said };
}

function assertDone({ exitCode, said }: { exitCode: number | null; said: string }): void {
  if (exitCode !== 0) throw new Error(said);
}
