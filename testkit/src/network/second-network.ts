/**
 * A second network on this machine, as a friend's phone has one: a network namespace with its own address, joined to ours
 * by a pair of virtual cables. Browsers that run in it reach this machine by its addresses, never by its loopback.
 */
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTempDir } from '../services/temp-dir.ts';
import { ServiceUnavailable } from '../services/system-programs.ts';

const run = promisify(execFile);

export interface SecondNetwork {
  /** The address of this machine in it. */
  readonly host: string;
  /** A program that runs another one in it. */
  wrap(program: string): Promise<string>;
  /** Removes it, with the cables. */
  remove(): Promise<void>;
}

/** Throws `ServiceUnavailable` where this process may not make one: that takes root, on Linux. */
export async function makeSecondNetwork(): Promise<SecondNetwork> {
  const id = `tm${String(process.pid % 100_000)}`;
  // A range that is set aside for measurements between networks.
  const [host, guest] = ['198.18.7.1', '198.18.7.2'];
  const ip = (...words: string[]) => run('ip', words);
  const inside = (...words: string[]) => ip('netns', 'exec', id, 'ip', ...words);
  const remove = async (): Promise<void> => {
    await ip('netns', 'delete', id).catch(() => undefined);
    await ip('link', 'delete', `${id}a`).catch(() => undefined);
  };
  try {
    await ip('netns', 'add', id);
    await ip('link', 'add', `${id}a`, 'type', 'veth', 'peer', 'name', `${id}b`, 'netns', id);
    await ip('address', 'add', `${host}/30`, 'dev', `${id}a`);
    await ip('link', 'set', `${id}a`, 'up');
    await inside('link', 'set', 'lo', 'up');
    await inside('address', 'add', `${guest}/30`, 'dev', `${id}b`);
    await inside('link', 'set', `${id}b`, 'up');
    await inside('route', 'add', 'default', 'via', host);
  } catch (error) {
    await remove();
    throw new ServiceUnavailable(`no second network can be made here: ${(error as Error).message.trim()}`);
  }
  const folder = await makeTempDir('second-network');
  return {
    host,
    async wrap(program) {
      const wrapped = join(folder.path, 'program.sh');
      await writeFile(wrapped, `#!/bin/sh\nexec ip netns exec ${id} '${program}' "$@"\n`);
      await chmod(wrapped, 0o755);
      return wrapped;
    },
    async remove() {
      await remove();
      await folder.remove();
    },
  };
}
