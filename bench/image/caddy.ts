/**
 * Runs Debian's Caddy with deploy/Caddyfile before servers of this machine: on loopback, with a certificate of its own
 * authority, which this process then trusts.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { recipe } from '@tunemate/testkit/cluster/recipe';
import { startDaemon } from '@tunemate/testkit/services/daemon';
import { freePort } from '@tunemate/testkit/services/free-port';
import { findOrInstall, findProgram } from '@tunemate/testkit/services/system-programs';

export interface Front {
  /** The address that people open. */
  readonly url: string;
  /** Where it sends people who come without TLS. */
  readonly plainUrl: string;
  /** Starts it before these origins, one for each server that the file names. */
  start(origins: readonly string[]): Promise<{ stop(): Promise<void> }>;
}

/** Chooses the ports, because servers need to know their public address before. */
export async function planCaddy(folder: string): Promise<Front> {
  const caddy = findOrInstall(() => findProgram(['caddy']), ['caddy'], 'there is no caddy');
  const [port, plain] = [await freePort(), await freePort()];
  const [url, plainUrl] = [`https://localhost:${String(port)}`, `http://localhost:${String(plain)}`];
  return {
    url,
    plainUrl,
    async start(origins) {
      const here = `{\n\tadmin off\n\thttp_port ${String(plain)}\n\thttps_port ${String(port)}\n\tskip_install_trust\n}\n`;
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'Caddyfile');
      await writeFile(path, here + (await recipe('Caddyfile', origins)));
      const env = [`HOME=${folder}`, `XDG_DATA_HOME=${folder}`, 'DOMAIN=localhost'];
      const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
      const daemon = await startDaemon({
        command: '/usr/bin/env',
        args: [...env, caddy, 'run', '--config', path, '--adapter', 'caddyfile'],
        ready: /serving initial configuration/,
      });
      tls.setDefaultCACertificates([...tls.getCACertificates(), await readFile(authority, 'utf8')]);
      return { stop: () => daemon.stop('SIGTERM') };
    },
  };
}
