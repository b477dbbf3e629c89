/**
 * What lies around a SQLite file decides whether a server may open it: asked before anything is made or changed. A file
 * that is missing or empty beside what belonged to it is lost, and another in its place would be an empty installation.
 */
import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { Failure, systemCode } from '../system/ports.ts';
import { syncFolder, writeWhole } from '../system/whole-files.ts';

/** In the data folder while a restore unpacks a backup into it. */
export const restoreFolder = '.tunemate-restore';
/** In the data folder from before a restore moves away the first of what was there until all of the backup is in place. */
const restoreMark = '.tunemate-restoring';
/** How the folders begin in which a restore keeps what was there before. */
export const replacedPrefix = 'replaced-';

export const markRestore = (dataDir: string): Promise<void> => writeWhole(join(dataDir, restoreMark), '');

export async function unmarkRestore(dataDir: string): Promise<void> {
  await rm(join(dataDir, restoreMark), { force: true });
  await syncFolder(dataDir);
}

/** A restore that was killed has moved away what was there, or a part of it. */
export function isHalfRestored(path: string): boolean {
  const folder = dirname(path);
  return exists(join(folder, restoreMark)) || (sizeOf(path) === 0 && exists(join(folder, restoreFolder)));
}

/** Throws Failure where the file may not be opened, or one in its place not be made. Touches nothing. */
export function assertNothingLost(path: string): void {
  if (isHalfRestored(path)) throw new Failure('server/unavailable', 'database.half-restored');
  if (sizeOf(path) > 0) return;
  const left = leftBeside(path);
  if (left.length === 0) return;
  const what = exists(path) ? 'empty' : 'missing';
  throw new Failure('server/unavailable', `database.${what}`, new Error(left.join(', ')));
}

/** What is there only where a database was: its log, files of pictures, and what a restore kept. */
function leftBeside(path: string): string[] {
  const folder = dirname(path);
  const kept = namesIn(folder).filter((name) => name.startsWith(replacedPrefix));
  const log = sizeOf(`${path}-wal`) > 0 ? [`${path}-wal`] : [];
  const images = namesIn(join(folder, 'images')).length > 0 ? [join(folder, 'images')] : [];
  return [...log, ...images, ...kept.map((name) => join(folder, name))];
}

const namesIn = (folder: string): string[] => found(() => readdirSync(folder), []);
/** In bytes; 0 also where there is none. */
const sizeOf = (path: string): number => found(() => statSync(path).size, 0);
const exists = (path: string): boolean => found(() => statSync(path), null) !== null;

/** What the disk refuses to tell is no answer: the start ends with its error. */
function found<T>(look: () => T, none: T): T {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return none;
    throw error;
  }
}

/** A server that was asked to stop may still be closing. */
const otherEndsWithinMs = 3000;

/** What this process holds, by path; released once all have let it go. */
const held = new Map<string, { lock: SqliteFile.Database; times: number }>();

/**
 * Keeps the servers of other processes off the file until it is released or this process ends, however it ends. The
 * operator's commands go on beside it. Throws Failure when another server holds it.
 */
export function holdFile(path: string): { release(): void } {
  const hold = held.get(path) ?? { lock: lockOf(path), times: 0 };
  held.set(path, hold);
  hold.times += 1;
  return {
    release() {
      hold.times -= 1;
      if (hold.times > 0) return;
      held.delete(path);
      hold.lock.close();
    },
  };
}

function lockOf(path: string): SqliteFile.Database {
  const lock = new SqliteFile(`${path}.in-use`, { timeout: otherEndsWithinMs });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (!systemCode(error).startsWith('SQLITE_BUSY')) throw error;
    throw new Failure('server/unavailable', 'database.in-use', error);
  }
}
