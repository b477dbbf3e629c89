/**
 * A throw-away HAProxy on a free port of 127.0.0.1 before servers of this machine: Debian's package, with the
 * configuration of `deploy`. Without TLS, which needs a certificate.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, startWithRetry } from '../services/daemon.ts';
import { findOrInstall, findProgram } from '../services/system-programs.ts';
import { makeTempDir } from '../services/temp-dir.ts';

export interface TestHaproxy {
  /** Its origin. */
  readonly url: string;
  stop(): Promise<void>;
}

const ours = join(import.meta.dirname, '../../../deploy/haproxy.cfg');

/** `port` is free, and known beforehand: the servers need their outer address. Throws `ServiceUnavailable`. */
export async function startHaproxy(port: number, servers: readonly string[]): Promise<TestHaproxy> {
  const haproxy = findOrInstall(() => findProgram(['haproxy'], ['/usr/sbin']), ['haproxy'], 'there is no haproxy');
  const dir = await makeTempDir('haproxy');
  const given = await readFile(ours, 'utf8');
  const here = servers
    .reduce((text, url, n) => text.replace(`tunemate-${String(n + 1)}:3000`, new URL(url).host), given)
    .replace('bind :443 ssl crt /etc/haproxy/certs/', `bind 127.0.0.1:${String(port)}`);
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
