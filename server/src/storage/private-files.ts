/**
 * Restricts files to the user that runs the server: they contain messages, addresses and secrets. Wider permissions of
 * existing files are removed. Systems without such permissions are left alone.
 */
import { chmod, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../system/ports.ts';

const ownerOnly = 0o700;
const othersMay = 0o077;

/** Creates the folder, and missing parents, with access for its owner only. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path);
  await narrow(path);
}

/** Node's own `recursive` never ends where a system such as /proc takes no folder and says that its parent is missing. */
async function makeFolder(path: string): Promise<void> {
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
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

/** Creates an empty file with access for its owner only, or leaves an existing one. */
export async function makePrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, 'ax', 0o600)).close();
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
