/**
 * A disk that is slow, fails or is recorded, for a program that is started with the answered settings. Needs Linux and a C
 * compiler.
 */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, ServiceUnavailable } from '../system-programs.ts';

export interface DiskState {
  /** Each sync takes longer. */
  syncMs?: number;
  /** Each sync fails. */
  syncFails?: 'EIO' | 'ENOSPC';
  /** Each write into a place of a file fails. */
  writeFails?: 'EIO' | 'ENOSPC' | 'EROFS';
}

export interface ShimmedDisk {
  /** For the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** How the disk is from now on. */
  set(state: DiskState): void;
}

const bytesPerNumber = 4;

/**
 * `folder` gets the library. What the program writes under `recorded.folder`, which has no links in its path, is appended
 * to the file `recorded.to`. Throws `ServiceUnavailable`.
 */
export function shimDisk(folder: string, recorded?: { folder: string; to: string }): ShimmedDisk {
  const compiler = findProgram(['cc', 'gcc', 'clang']);
  if (process.platform !== 'linux' || compiler === undefined) throw new ServiceUnavailable('there is no C compiler');
  const [source, library, control] = [
    join(import.meta.dirname, 'disk-shim.c'),
    join(folder, 'disk-shim.so'),
    join(folder, 'disk-control'),
  ];
  const made = spawnSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread']);
  if (made.status !== 0) throw new ServiceUnavailable(`the disk could not be compiled: ${String(made.stderr)}`);
  writeFileSync(control, Buffer.alloc(4096));
  const file = openSync(control, 'r+');
  return {
    env: {
      LD_PRELOAD: library,
      DISK_CONTROL: control,
      ...(recorded ? { DISK_FOLDER: recorded.folder, DISK_RECORD: recorded.to } : {}),
    },
    set({ syncMs = 0, syncFails, writeFails }) {
      const numbers = [syncMs, numberOf(syncFails), numberOf(writeFails)];
      const bytes = Buffer.alloc(numbers.length * bytesPerNumber);
      numbers.forEach((number, index) => bytes.writeInt32LE(number, index * bytesPerNumber));
      writeSync(file, bytes, 0, bytes.length, 0);
    },
  };
}

const numberOf = (code: keyof typeof constants.errno | undefined): number =>
  code === undefined ? 0 : constants.errno[code];
