/**
 * The one way in which a file or folder that is to stay gets its name: what it holds is on the disk first, then it is
 * renamed, then the folder of the name is on the disk. After a loss of power a name stands for the whole or is not there.
 */
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from './ports.ts';

const ownerOnly = 0o700;
const syncedAtOnce = 16;

/** What systems say that can't sync a folder: Windows opens none, and some network disks take no sync of one. */
const withoutFolderSync: readonly string[] = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Brings the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await syncFile(path);
  } catch (error) {
    if (!withoutFolderSync.includes(systemCode(error))) throw error;
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Brings a file, or a folder with all that is in it, to the disk. */
export async function syncAll(path: string): Promise<void> {
  if (!(await stat(path)).isDirectory()) return await syncFile(path);
  const waiting = new Set<Promise<void>>();
  for await (const entry of await opendir(path)) {
    const inside = join(path, entry.name);
    if (!entry.isDirectory() && !entry.isFile()) continue;
    const done = (entry.isDirectory() ? syncAll(inside) : syncFile(inside)).finally(() => waiting.delete(done));
    waiting.add(done);
    if (waiting.size >= syncedAtOnce) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  await syncFolder(path);
}

/**
 * Gives a finished file or folder its name, in place of a file that has it. When this resolves, the whole is on the disk
 * under `to`.
 */
export async function nameWhole(unfinished: string, to: string): Promise<void> {
  await syncAll(unfinished);
  await rename(unfinished, to);
  const folders = new Set([dirname(to), dirname(unfinished)]);
  for (const folder of folders) await syncFolder(folder);
}

/**
 * Writes a file that its owner alone may read, in place of one that has the name. Where it fails, the name stands for
 * what it did before or for the new whole.
 */
export async function writeWhole(path: string, contents: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.part`;
  try {
    const file: FileHandle = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(contents);
    } finally {
      await file.close();
    }
    await nameWhole(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Folders that this process found or made: whether the name of each is on the disk. */
const named = new Map<string, boolean>();

/**
 * Makes the folder and its missing parents for their owner alone, each on the disk in the one above it, also where another
 * call or process made it and could not sync that. Node's own `recursive` never ends where a system such as /proc takes no
 * folder and says that its parent is missing.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: ownerOnly });
    named.set(path, false);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
    if (!named.has(path)) named.set(path, false);
  }
  await syncName(path);
}

/** Of those above it only folders that this process made or found here are looked at: the rest were there before it. */
async function syncName(path: string): Promise<void> {
  const above = dirname(path);
  if (named.get(path) !== false || above === path) return;
  await syncName(above);
  await syncFolder(above);
  named.set(path, true);
}
