/** A disk of a few megabytes, in memory, that a test may fill or make read-only. Needs the right to mount. */
import { spawnSync } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceUnavailable } from '../system-programs.ts';
import { makeTempDir } from '../temp-dir.ts';

export interface SmallDisk {
  readonly path: string;
  /** Leaves no byte free, until `free`. */
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Nothing may have a file open for writing. */
  setReadOnly(isReadOnly: boolean): void;
  remove(): Promise<void>;
}

/**
 * In a folder of its own, or in the one `at` this path. Throws `ServiceUnavailable` where this machine forbids
 * mounting.
 */
export async function mountSmallDisk(megabytes: number, at?: string): Promise<SmallDisk> {
  const dir = at === undefined ? await makeTempDir('disk') : { path: at, remove: () => Promise.resolve() };
  const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' });
  const { status, stderr } = mount('-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'tmpfs', dir.path);
  if (status !== 0) {
    await dir.remove();
    throw new ServiceUnavailable(`a small disk can’t be mounted here: ${stderr?.trim() ?? 'there is no mount'}`);
  }
  // PostgreSQL runs as a user of its own.
  await chmod(dir.path, 0o777);
  const filling = join(dir.path, 'filling');
  return {
    path: dir.path,
    async fill() {
      // Smaller and smaller pieces, until not even a page fits.
      for (const bytes of [1024 * 1024, 64 * 1024, 4096]) {
        const piece = Buffer.alloc(bytes);
        while (
          await writeFile(filling, piece, { flag: 'a' }).then(
            () => true,
            () => false,
          )
        );
      }
    },
    free: () => rm(filling, { force: true }),
    setReadOnly(isReadOnly) {
      const remounted = mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, dir.path);
      if (remounted.status !== 0) throw new Error(`remount: ${remounted.stderr}`);
    },
    async remove() {
      spawnSync('umount', ['--lazy', dir.path]);
      await dir.remove();
    },
  };
}
