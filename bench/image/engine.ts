/**
 * Runs containers with Debian's Podman and runc: images, containers and volumes in one folder, and no registry asked.
 * Knows Podman, nothing of what is in the containers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrInstall, findProgram } from '@tunemate/testkit/services/system-programs';

const packages = ['podman', 'runc', 'catatonit', 'netavark', 'aardvark-dns', 'iptables', 'podman-compose'];

/** How a program ended, and what it printed on both streams. */
export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

export interface Engine {
  /** Carries out `podman …args`. */
  try(...args: readonly string[]): Promise<Ran>;
  /** The same; throws with what Podman printed when it fails. Answers what it printed. */
  podman(...args: readonly string[]): Promise<string>;
  /** Carries out lines of a shell that call `docker`, which is Podman then; throws like `podman`. */
  asDocker(lines: string, at: { readonly cwd: string; readonly home: string }): Promise<string>;
  /** Carries out `podman-compose …args`; throws like `podman`. */
  compose(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string>;
  /** Builds a target of the Dockerfile in `context`; without one the last. */
  build(tag: string, context: string, target?: string): Promise<void>;
}

/** As the tests of the image build: our own base image, and the network of this machine for npm and apt. */
export const buildFlags = ['--pull=never', '--isolation', 'chroot', '--network', 'host', '--format', 'docker'];

/** Keeps everything in `folder`. Throws `ServiceUnavailable`. */
export async function openEngine(folder: string): Promise<Engine> {
  const find = (name: string) => findOrInstall(() => findProgram([name]), packages, `there is no ${name}`);
  const [podman, compose] = [find('podman'), find('podman-compose')];
  await mkdir(folder, { recursive: true });
  const [storage, settings] = [join(folder, 'storage.conf'), join(folder, 'containers.conf')];
  const [graph, run] = [join(folder, 'storage'), join(folder, 'run')];
  await writeFile(storage, `[storage]\ndriver = "overlay"\ngraphroot = "${graph}"\nrunroot = "${run}"\n`);
  // Works without systemd, and where no user may raise the limits of open files.
  const engine = '[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\nevents_logger = "file"\n';
  const limits = '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\nlog_driver = "k8s-file"\n';
  await writeFile(settings, engine + limits);
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: settings };
  const programs = join(folder, 'bin');
  await mkdir(programs, { recursive: true });
  const docker = `#!/bin/sh\n[ "$1" = build ] && shift && exec ${podman} build ${buildFlags.join(' ')} "$@"\nexec ${podman} "$@"\n`;
  await writeFile(join(programs, 'docker'), docker, { mode: 0o755 });
  const must = async (
    command: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    cwd?: string,
  ) => {
    const { code, said } = await ran(command, args, { ...env, ...more }, cwd);
    if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} failed:\n${said.slice(-3000)}`);
    return said;
  };
  return {
    try: (...args) => ran(podman, args, env),
    podman: (...args) => must(podman, args),
    asDocker: (lines, { cwd, home }) =>
      must('sh', ['-ec', lines], { PATH: `${programs}:${process.env['PATH'] ?? ''}`, HOME: home }, cwd),
    compose: (args, more) => must(compose, args, more),
    async build(tag, context, target) {
      const chosen = target === undefined ? [] : ['--target', target];
      await must(podman, ['build', ...buildFlags, ...chosen, '--tag', tag, context]);
    },
  };
}

/** Runs a program to its end. */
export async function ran(command: string, args: readonly string[], env = process.env, cwd?: string): Promise<Ran> {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  // Podman says at each start that it can't time health checks without systemd.
  return { code, said: said.replaceAll(/^time=.*systemd.*\n/gm, '') };
}
