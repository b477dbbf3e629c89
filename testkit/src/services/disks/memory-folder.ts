/**
 * Temporary files in memory, where this machine has room for them: databases of tests then wait for no disk, which is
 * most of what they would do. Benches measure disks, so only tests ask for this.
 */
import { accessSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'tunemate-tests-';
/** Two PostgreSQL clusters, the profiles of a few browsers, and as much again. */
const roomNeededBytes = 2 * 1024 ** 3;

/**
 * Lets this process and those it starts keep their temporary files in memory, until it ends. Does nothing where the
 * environment names a place already, or memory can't be used like a disk.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  removeThoseOfDeadRuns();
  const folder = join(memory, `${prefix}${String(process.pid)}`);
  // PostgreSQL runs as a user of its own, who has to get to its data.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  process.env['TMPDIR'] = folder;
  // A program that this process started may still write into it.
  process.once('exit', () => remove(folder));
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomNeededBytes;
  } catch {
    return false;
  }
}

/** A killed run leaves its folder behind, which would take memory until the machine restarts. */
function removeThoseOfDeadRuns(): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length) : Number.NaN);
    // Another run may remove it at the same time, or something of the dead one may still hold it.
    if (Number.isInteger(pid) && !isAlive(pid)) remove(join(memory, name));
  }
}

/** Where that fails, the next run tries again. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // What is left is of a run that is over.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
