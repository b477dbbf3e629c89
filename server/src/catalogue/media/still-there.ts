/**
 * Opens files of the library where they were when the folder was read. By now a link may stand in their place, or in
 * that of a folder above them: whoever can write into a shared music folder must not publish the rest of the disk.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';

/** No link is followed, and nobody is waited for who might write to a pipe. Windows knows neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `path` has every link resolved. Null when it leads elsewhere now, or to no file. */
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

/** True while no link stands in the way to `path`, which had every link resolved. */
export async function leadsNowhereElse(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => null)) === path;
}
