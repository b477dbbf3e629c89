/**
 * Restricts files to the user that runs the server: they contain messages, addresses and secrets. Wider permissions of
 * existing files are removed. Systems without such permissions are left alone.
 */
import { chmod, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../system/ports.ts';
import { makeFolder, syncFolder } from '../system/whole-files.ts';

const ownerOnly = 0o700;
const othersMay = 0o077;

/** Creates the folder, and missing parents, with access for its owner only. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path);
  await narrow(path);
}

/** Creates an empty file with access for its owner only, or leaves an existing one. */
export async function makePrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, 'ax', 0o600)).close();
    await syncFolder(dirname(path));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    await narrow(path);
  }
}

/** Removes the permissions of other users, if the file exists and is ours. */
export async function narrow(path: string): Promise<void> {
  try {
    const { mode, uid } = await stat(path);
    if (uid === process.getuid?.() && (mode & othersMay) !== 0) await chmod(path, mode & ownerOnly);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
