/**
 * A disk whose power can be cut: a file system on a loop device. Its file holds what the file system has given to the disk,
 * without the machine's cache of pages; a copy of it at one moment is the disk after a loss of power. Needs the right to mount.
 */
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrInstall, findProgram, ServiceUnavailable } from '../system-programs.ts';
import { makeTempDir } from '../temp-dir.ts';

export const diskKinds = ['ext4', 'xfs', 'btrfs'] as const;
export type DiskKind = (typeof diskKinds)[number];

export interface PowerCutDisk {
  /** Where it is mounted, before and after each cut. */
  readonly path: string;
  /** Cuts the power, calls `dead`, which ends all that uses the disk, and mounts what was on it. */
  cut(dead: () => Promise<unknown>): Promise<void>;
  remove(): Promise<void>;
}

/** The smallest on which each file system can be made; only what is written takes room. */
const [diskMegabytes, aroundMegabytes] = [400, 2000];

/** Throws `ServiceUnavailable` where this machine has no such file system, or lets no test mount. */
export async function makePowerCutDisk(kind: DiskKind): Promise<PowerCutDisk> {
  for (const [program, packaged] of [
    ['mkfs.xfs', 'xfsprogs'],
    [`mkfs.${kind}`, { ext4: 'e2fsprogs', xfs: 'xfsprogs', btrfs: 'btrfs-progs' }[kind]],
  ] as const) {
    findOrInstall(() => findProgram([program], ['/usr/sbin', '/sbin']), [packaged], `there is no ${program}`);
  }
  const dir = await makeTempDir('power-cut');
  const [around, path] = [join(dir.path, 'around'), join(dir.path, 'disk')];
  const mounted: string[] = [];
  const unmount = (at: string) => {
    run('umount', at);
    mounted.splice(mounted.indexOf(at), 1);
  };
  const mount = (image: string, at: string) => {
    run('mount', '-o', 'loop', image, at);
    mounted.unshift(at);
  };
  const remove = async () => {
    for (const at of [...mounted]) unmount(at);
    await dir.remove();
  };
  try {
    await mkdir(around);
    await mkdir(path);
    // XFS copies a file at one moment, without its bytes.
    const outer = join(dir.path, 'around.img');
    makeImage(outer, 'xfs', aroundMegabytes);
    mount(outer, around);
    let image = join(around, '0.img');
    makeImage(image, kind, diskMegabytes);
    mount(image, path);
    let cuts = 0;
    return {
      path,
      async cut(dead) {
        const after = join(around, `${String((cuts += 1))}.img`);
        run('cp', '--reflink=always', image, after);
        await dead();
        unmount(path);
        run('rm', image);
        image = after;
        mount(image, path);
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw new ServiceUnavailable(`a disk whose power can be cut can’t be made here: ${String(error)}`);
  }
}

function makeImage(image: string, kind: DiskKind, megabytes: number): void {
  run('truncate', '-s', `${String(megabytes)}M`, image);
  run(`mkfs.${kind}`, '-q', image);
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim()}`);
}
