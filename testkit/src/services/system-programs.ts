/**
 * Finds the programs that tests need on this machine, and installs them where that is ours to do:
 * on Debian as root. Anywhere else a missing program is reported, never guessed.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const aptGet = '/usr/bin/apt-get';
/** A mirror that does not answer is a failure with a reason, not a run that never ends. */
const installWithinMs = 480_000;

/** A program or service that tests want and this machine cannot give. Outside CI its tests are skipped, loudly. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable';
}

/** The full path of the first of `names` that can be run, looked for in `extraFolders` and then on the PATH. */
export function findProgram(names: readonly string[], extraFolders: readonly string[] = []): string | undefined {
  const folders = [...extraFolders, ...(process.env['PATH'] ?? '').split(delimiter)];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * What `find` finds, at once or after the Debian packages were installed. Throws `ServiceUnavailable`,
 * saying `missing`.
 */
export function findOrInstall<Found>(
  find: () => Found | undefined,
  packages: readonly string[],
  missing: string,
): Found {
  const found = find();
  if (found !== undefined) return found;
  if (canInstall()) aptInstall(...packages);
  const installed = find();
  if (installed === undefined) throw new ServiceUnavailable(missing);
  return installed;
}

/** The operator's program that writes the sound of a file anew. Throws `ServiceUnavailable`. */
export function ffmpegPath(): string {
  return findOrInstall(() => findProgram(['ffmpeg']), ['ffmpeg'], 'there is no ffmpeg');
}

const hindiFont = '/usr/share/fonts/truetype/lohit-devanagari';

/** Without a typeface for a script each letter is drawn as a wide box, and no text has its width. Throws `ServiceUnavailable`. */
export function haveHindiFont(): void {
  findOrInstall(() => existsSync(hindiFont) || undefined, ['fonts-lohit-deva'], 'there is no typeface for Hindi');
}

/** True where `aptInstall` may work: Debian's package manager, and the right to use it. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync(aptGet);
}

/** Installs Debian packages, without starting the services that come with them. Throws `ServiceUnavailable`. */
export function aptInstall(...packages: readonly string[]): void {
  process.stderr.write(`testkit: installing ${packages.join(', ')} with apt-get\n`);
  // Run level 1 keeps the packages' own services from starting on their default ports.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // One after the other: of two that read the lists of packages at once the second fails. A service that a package
  // starts must not keep the lock.
  const apt = (...args: string[]) =>
    spawnSync('flock', ['--close', aptGet, aptGet, '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      env,
      stdio: ['ignore', 'ignore', 2],
      timeout: installWithinMs,
    });
  apt('update');
  const { status } = apt('install', '--yes', '--no-install-recommends', ...packages);
  if (status !== 0) throw new ServiceUnavailable(`apt-get could not install ${packages.join(', ')}`);
}

/** The first of `names` that is a user of this machine. */
export function findUser(names: readonly string[]): { uid: number; gid: number } | undefined {
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((row) => row.split(':'));
  const row = names.map((name) => rows.find(([user]) => user === name)).find((found) => found !== undefined);
  return row && { uid: Number(row[2]), gid: Number(row[3]) };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
