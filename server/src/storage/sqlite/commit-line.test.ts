/** Commits that wait for the disk: answered after their sync, hidden from reads until then, mended after a failed one. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { CommitLine } from './commit-line.ts';
import { type LogFile, openLogFile } from './log-file.ts';

/** A file with two connections, and a disk whose syncs end when the test says so. */
async function world() {
  const dir = await makeTempDir('commits');
  const path = join(dir.path, 'file.sqlite');
  const writer = new SqliteFile(path);
  writer.pragma('journal_mode = WAL');
  writer.pragma('synchronous = NORMAL');
  writer.exec('create table words (word text)');
  const reader = new SqliteFile(path, { readonly: true });
  const log = openLogFile(path, writer);
  const syncs: PromiseWithResolvers<void>[] = [];
  const disk: LogFile = {
    ...log,
    async sync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      await sync.promise;
      await log.sync();
    },
  };
  const lost: unknown[] = [];
  const line = new CommitLine(
    { pin: () => void reader.exec('begin; select count(*) from words'), unpin: () => void reader.exec('commit') },
    disk,
    (error) => void lost.push(error),
  );
  onTestFinished(async () => {
    reader.close();
    await log.close();
    writer.close();
    await dir.remove();
  });
  const answered: string[] = [];
  const write = async (word: string) => {
    await line.take();
    await line.commit(() => writer.prepare('insert into words values (?)').run(word), true);
    answered.push(word);
  };
  const words = () =>
    (line.isFree ? writer : reader).prepare<[], string>('select word from words order by word').pluck().all();
  /** Resolves when the disk has begun so many syncs. */
  const begun = (count: number) => expect.poll(() => syncs.length).toBe(count);
  const eio = () => Object.assign(new Error('the disk'), { code: 'SQLITE_IOERR_FSYNC' });
  return { path, writer, log, line, syncs, lost, answered, write, words, begun, eio };
}

test('a commit is answered when it is on the disk, and no read shows it before', async () => {
  const w = await world();
  const written = w.write('one');
  await w.begun(1);
  expect([w.answered, w.words(), w.line.isFree]).toEqual([[], [], false]);
  w.syncs[0]?.resolve();
  await written;
  expect([w.answered, w.words(), w.line.isFree]).toEqual([['one'], ['one'], true]);
});

test('what is committed while a sync runs waits for the next one, all together, in the order in which it came', async () => {
  const w = await world();
  const first = w.write('a');
  await w.begun(1);
  const others = ['b', 'c', 'd'].map((word) => w.write(word));
  w.syncs[0]?.resolve();
  await first;
  await w.begun(2);
  expect([w.answered, w.words()]).toEqual([['a'], ['a']]);
  w.syncs[1]?.resolve();
  await Promise.all(others);
  expect([w.answered, w.syncs.length]).toEqual([['a', 'b', 'c', 'd'], 2]);
});

test('a turn in which nothing was changed is answered without a sync', async () => {
  const w = await world();
  await w.line.take();
  await w.line.commit(() => w.writer.exec(`delete from words where word = 'none'`), true);
  expect([w.syncs.length, w.line.isFree]).toEqual([0, true]);
});

test('a commit that throws gives the turn back only when it is left, and what waits goes on', async () => {
  const w = await world();
  await w.line.take();
  const failing = w.line.commit(() => {
    throw new Error('no');
  }, true);
  await expect(failing).rejects.toThrow('no');
  const next = w.write('next');
  expect(w.answered).toEqual([]);
  w.line.leave();
  await w.begun(1);
  w.syncs[0]?.resolve();
  await next;
  expect(w.words()).toEqual(['next']);
});

test('closing waits until what was committed is on the disk, and what comes later is rejected', async () => {
  const w = await world();
  const one = w.write('one');
  await w.begun(1);
  const two = w.write('two');
  const closed = w.line.close().then(() => w.answered.push('closed'));
  const late = expect(w.write('three')).rejects.toThrow('the database is closed');
  w.syncs[0]?.resolve();
  await w.begun(2);
  w.syncs[1]?.resolve();
  await Promise.all([one, two, closed, late]);
  await expect(w.write('four')).rejects.toThrow('the database is closed');
  expect([w.answered, w.words()]).toEqual([
    ['one', 'two', 'closed'],
    ['one', 'two'],
  ]);
});

test('a failed sync rejects its commits and hides them, and before the next commit the log is written anew', async () => {
  const w = await world();
  const refused = w.write('refused');
  await w.begun(1);
  w.syncs[0]?.reject(w.eio());
  await expect(refused).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
  expect([w.words(), w.line.isFree]).toEqual([[], false]);
  const next = w.write('next');
  await w.begun(2);
  // It may be stored: then it is on the disk before it is shown.
  expect(w.words()).toEqual(['refused']);
  w.syncs[1]?.resolve();
  await next;
  expect([w.words(), w.lost]).toEqual([['next', 'refused'], []]);
});

test('a log that can not be read back after a failed sync is reported, and nothing is committed any more', async () => {
  const w = await world();
  const refused = w.write('refused');
  await w.begun(1);
  w.syncs[0]?.reject(w.eio());
  await expect(refused).rejects.toMatchObject({ code: 'SQLITE_IOERR_FSYNC' });
  const bytes = await readFile(`${w.path}-wal`);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  await writeFile(`${w.path}-wal`, bytes);
  await expect(w.write('next')).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
  expect([w.lost.length, w.words()]).toEqual([1, []]);
});

test('a log is written anew byte for byte, also after it began anew', async () => {
  const w = await world();
  for (const word of ['one', 'two', 'three']) {
    w.writer.prepare('insert into words values (?)').run(word);
    w.log.hasGrown();
    const before = await readFile(`${w.path}-wal`);
    await w.log.writeAnew();
    expect(before.equals(await readFile(`${w.path}-wal`))).toBe(true);
    if (word === 'two') w.writer.pragma('wal_checkpoint(restart)');
  }
});
