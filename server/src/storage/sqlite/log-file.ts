/**
 * The log (WAL) of a SQLite file, as far as its way to the disk is concerned. SQLite writes it and reads it; here it is
 * synced, and after a failed sync written anew. Its format: https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type SqliteFile from 'better-sqlite3';

export interface LogFile {
  /** Whether a commit was written since the call before. */
  hasGrown(): boolean;
  /** How many pages the log holds. */
  readonly pages: number;
  /** Resolves when all that was committed before the call is on the disk. Rejects with a code of SQLite. */
  sync(): Promise<void>;
  /**
   * Writes the log again as it is, and syncs it: after a failed sync the system may have dropped what it could not write.
   * Rejects with a code of SQLite; `SQLITE_CORRUPT` when the log can't be read back any more.
   */
  writeAnew(): Promise<void>;
  close(): Promise<void>;
}

/** The codes that SQLite itself gives when a sync fails. */
const codes: Readonly<Record<string, string>> = {
  ENOSPC: 'SQLITE_FULL',
  EDQUOT: 'SQLITE_FULL',
  EROFS: 'SQLITE_READONLY',
};

/** `writer` is the connection that commits. The file must exist: SQLite makes it when it first reads a database. */
export function openLogFile(path: string, writer: SqliteFile.Database): LogFile {
  const logPath = `${path}-wal`;
  syncNow(logPath);
  const state = writer.prepare<[], { log: number }>('pragma wal_checkpoint(noop)');
  const changes = writer.prepare<[], number>('select total_changes()').pluck();
  let [seenPages, seenChanges] = [state.get()?.log ?? 0, changes.get() ?? 0];
  let handle: Promise<FileHandle> | null = null;
  // The same handle for good: one that is opened after a failed write may not learn of it.
  const opened = () => (handle ??= open(logPath, 'r+'));
  opened().catch(() => (handle = null));

  return {
    hasGrown() {
      const [pages, count] = [state.get()?.log ?? 0, changes.get() ?? 0];
      // A log that began anew may have as many pages as before: then rows were changed.
      const isNew = pages !== seenPages || count !== seenChanges;
      [seenPages, seenChanges] = [pages, count];
      return isNew;
    },
    get pages() {
      return seenPages;
    },
    sync: () => coded(async () => await (await opened()).datasync()),
    writeAnew: () =>
      coded(async () => {
        const file = await opened();
        const bytes = await readWhole(file, seenPages);
        await file.write(bytes, 0, bytes.length, 0);
        await file.datasync();
      }),
    async close() {
      const file = await handle?.catch(() => null);
      await file?.close();
    },
  };
}

/** What an earlier process left in the log is read at once: it must not be lost after that. So must its name. */
function syncNow(logPath: string): void {
  for (const path of [logPath, dirname(logPath)]) {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch {
      // Windows opens no folder.
      continue;
    }
    try {
      fsyncSync(file);
    } catch {
      // A disk that takes no writes: the first commit says so.
    } finally {
      closeSync(file);
    }
  }
}

async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('SQLITE_')) throw error;
    throw Object.assign(new Error('the log could not be synced', { cause: error }), {
      code: codes[code] ?? 'SQLITE_IOERR_FSYNC',
    });
  }
}

const headerBytes = 32;
const frameHeaderBytes = 24;
/** Of the header: how checksums are counted, the size of pages, the salts that each frame repeats. */
const at = { order: 0, pageSize: 8, salts: 16, checksum: 24, frameSalts: 8, frameChecksum: 16 };
const saltBytes = 8;

/** The first `pages` of the log. Throws when they are not those that were written. */
async function readWhole(file: FileHandle, pages: number): Promise<Buffer> {
  const header = Buffer.alloc(headerBytes);
  await file.read(header, 0, headerBytes, 0);
  const frameBytes = frameHeaderBytes + header.readUInt32BE(at.pageSize);
  const bytes = Buffer.alloc(headerBytes + pages * frameBytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  if (bytesRead !== bytes.length || !isSound(bytes, frameBytes)) {
    throw Object.assign(new Error('the log can not be read back'), { code: 'SQLITE_CORRUPT' });
  }
  return bytes;
}

/** Whether each frame has the salts of the header and the checksum that follows from all before it. */
function isSound(bytes: Buffer, frameBytes: number): boolean {
  const isBigEndian = (bytes.readUInt32BE(at.order) & 1) === 1;
  const salts = bytes.subarray(at.salts, at.salts + saltBytes);
  let sum: Sum = summed([0, 0], bytes.subarray(0, at.checksum), isBigEndian);
  if (!isSum(bytes, at.checksum, sum)) return false;
  for (let from = headerBytes; from < bytes.length; from += frameBytes) {
    sum = summed(sum, bytes.subarray(from, from + at.frameSalts), isBigEndian);
    sum = summed(sum, bytes.subarray(from + frameHeaderBytes, from + frameBytes), isBigEndian);
    const own = bytes.subarray(from + at.frameSalts, from + at.frameSalts + saltBytes);
    if (!own.equals(salts) || !isSum(bytes, from + at.frameChecksum, sum)) return false;
  }
  return true;
}

type Sum = readonly [number, number];

const isSum = (bytes: Buffer, from: number, [one, two]: Sum): boolean =>
  bytes.readUInt32BE(from) === one && bytes.readUInt32BE(from + 4) === two;

/** Two sums of 32 bits, over pairs of words. */
function summed([first, second]: Sum, bytes: Buffer, isBigEndian: boolean): Sum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [one, two] = [first, second];
  for (let from = 0; from < bytes.byteLength; from += 8) {
    one = (one + words.getUint32(from, !isBigEndian) + two) >>> 0;
    two = (two + words.getUint32(from + 4, !isBigEndian) + one) >>> 0;
  }
  return [one, two];
}
