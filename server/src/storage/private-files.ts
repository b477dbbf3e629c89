/**
 * Files that no other user of this machine may read: they hold messages, addresses and what signs people in. What an
 * earlier version or another hand left wider is narrowed. Systems without such rights are left alone.
 */
import { chmod, mkdir, open, stat } from 'node:fs/promises';

const ownerOnly = 0o700;
const othersMay = 0o077;

/** Makes the folder, and those above it that are missing, for its owner alone. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: ownerOnly });
  await narrow(path);
}

/** Makes an empty file for its owner alone, or leaves what is there. */
export async function makePrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, 'ax', 0o600)).close();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await narrow(path);
  }
}

/** Takes the rights of everybody else away, where the file exists and is ours. */
export async function narrow(path: string): Promise<void> {
  try {
    const { mode, uid } = await stat(path);
    if (uid === process.getuid?.() && (mode & othersMay) !== 0) await chmod(path, mode & ownerOnly);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
