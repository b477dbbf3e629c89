/** Databases of one process, whose logs one thread moves into their files. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { checkpoints } from './checkpoints.ts';
import { CommitLine } from './commit-line.ts';
import { openLogFile } from './log-file.ts';

/** A file whose log has some pages. */
async function world() {
  const dir = await makeTempDir('checkpoints');
  const path = join(dir.path, 'file.sqlite');
  const writer = new SqliteFile(path);
  writer.pragma('journal_mode = WAL');
  writer.pragma('wal_autocheckpoint = 0');
  const log = openLogFile(path, writer);
  const line = new CommitLine({ pin: () => undefined, unpin: () => undefined }, log, () => undefined);
  const moves = checkpoints({ path, line, log, onFailed: () => undefined });
  onTestFinished(async () => {
    await moves.close();
    await log.close();
    writer.close();
    await dir.remove();
  });
  const fill = () => void writer.exec('drop table if exists words; create table words (word text)');
  const bytes = () => statSync(`${path}-wal`).size;
  fill();
  return { moves, fill, bytes };
}

test('the logs of two databases are emptied side by side, and one that is closed leaves the other open', async () => {
  const [one, other] = [await world(), await world()];
  const before = one.bytes();
  await Promise.all([one.moves.empty(), other.moves.empty()]);
  // What is left is the commit that begins the log anew.
  for (const { bytes } of [one, other]) expect(bytes()).toBeLessThan(before);
  await one.moves.close();
  other.fill();
  const grown = other.bytes();
  await other.moves.empty();
  expect(other.bytes()).toBeLessThan(grown);
});
