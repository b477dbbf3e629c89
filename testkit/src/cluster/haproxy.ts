/**
 * A throw-away HAProxy on a free port of 127.0.0.1 before servers of this machine: Debian's package, with the
 * configuration of `deploy`. Without TLS, which needs a certificate.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, startWithRetry } from '../services/daemon.ts';
import { findOrInstall, findProgram } from '../services/system-programs.ts';
import { makeTempDir } from '../services/temp-dir.ts';
import { recipe } from './recipe.ts';

export interface TestHaproxy {
  /** Its origin. */
  readonly url: string;
  stop(): Promise<void>;
}

/** `port` is free, and known beforehand: the servers need their outer address. Throws `ServiceUnavailable`. */
export async function startHaproxy(port: number, servers: readonly string[]): Promise<TestHaproxy> {
  const haproxy = findOrInstall(() => findProgram(['haproxy'], ['/usr/sbin']), ['haproxy'], 'there is no haproxy');
  const dir = await makeTempDir('haproxy');
  const given = await recipe('haproxy.cfg', servers);
  const here = given.replace('bind :443 ssl crt /etc/haproxy/certs/', `bind 127.0.0.1:${String(port)}`);
  const file = join(dir.path, 'haproxy.cfg');
  await writeFile(file, here);
  const url = `http://127.0.0.1:${String(port)}`;
  const daemon = await startWithRetry(() =>
    startDaemon({
      command: haproxy,
      args: ['-db', '-f', file],
      ready: () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
    }),
  );
  return {
    url,
    async stop() {
      await daemon.stop('SIGKILL');
      await dir.remove();
    },
  };
}
