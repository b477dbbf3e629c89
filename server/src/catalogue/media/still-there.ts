/**
 * Opens files of the library unless a link has replaced them, or a folder above them, since the folder was read: a user
 * with write access to a shared music folder must not publish the rest of the disk.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isWhole } from '../../system/media-ends.ts';
import { systemCode } from '../../system/ports.ts';

/** Follows no link and does not wait for the writer of a pipe. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `path` has every link resolved. Null when it now leads elsewhere or to no file. */
export async function openStill(path: string): Promise<FileHandle | null> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, flags);
    const [opened, named] = [await file.stat({ bigint: true }), await lstat(path, { bigint: true })];
    const isSame = opened.ino === named.ino && opened.dev === named.dev;
    if (isSame && opened.isFile() && (await leadsNowhereElse(path))) return file;
  } catch {
    // It is gone, or a link.
  }
  await file?.close();
  return null;
}

/**
 * Opens a copy that the server has made. One that is not whole, as a loss of power or a failing disk leaves it, is removed,
 * so that it is made again; `damaged` is called then. Null where there is none.
 */
export async function openCopy(path: string, damaged: (name: string) => void): Promise<FileHandle | null> {
  const file = await openStill(path);
  if (file === null || (await isWhole(file, path).catch(() => false))) return file;
  await file.close();
  await rm(path, { force: true });
  damaged(basename(path));
  return null;
}

/** True while `path`, which had every link resolved, contains no link. */
export async function leadsNowhereElse(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => null)) === path;
}

/** True while nothing can be read under `path`, as where its disk is away: what fails meanwhile may succeed later. */
export async function isAway(path: string): Promise<boolean> {
  try {
    await (await open(path, flags)).close();
    return false;
  } catch (error) {
    // A link, which is not followed, stays one.
    return systemCode(error) !== 'ELOOP';
  }
}

/** What reads a file of the library rejects with this while it may be read later. */
export class NotYet extends Error {}

/** Reads the file of `path` by `work`. Rejects with `NotYet` while it is away, also where it went meanwhile. */
export async function whileThere<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (await isAway(path)) throw new NotYet();
  if (!(await leadsNowhereElse(path))) throw new Error('it is a link by now');
  try {
    return await work();
  } catch (error) {
    throw (await isAway(path)) ? new NotYet() : error;
  }
}

/** True where more than the file of `path` is gone: its folder, or all that was in it, as where a disk was unmounted. */
export async function isFolderAway(path: string): Promise<boolean> {
  try {
    const folder = await opendir(dirname(path));
    const first = await folder.read();
    await folder.close();
    return first === null;
  } catch {
    return true;
  }
}
