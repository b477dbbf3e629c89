/**
 * The balancers of this repository's recipes, each with its file of `deploy` before servers of this machine: the programs
 * of Debian, without TLS, which needs a certificate.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startHaproxy } from '@tunemate/testkit/cluster/haproxy';
import { recipe } from '@tunemate/testkit/cluster/recipe';
import { startDaemon } from '@tunemate/testkit/services/daemon';
import { startNginxOf } from '@tunemate/testkit/services/programs/nginx';
import { findOrInstall, findProgram } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';

/** Starts one on a port that is free, before three origins. Throws `ServiceUnavailable`. */
type StartProxy = (port: number, servers: readonly string[]) => Promise<{ stop(): Promise<void> }>;

const startCaddy: StartProxy = async (port, servers) => {
  const caddy = findOrInstall(() => findProgram(['caddy']), ['caddy'], 'there is no caddy');
  const folder = await makeTempDir('caddy');
  const file = join(folder.path, 'Caddyfile');
  const options = '{\n\tadmin off\n}\n';
  await writeFile(file, options + (await recipe('Caddyfile', servers)));
  const env = [`HOME=${folder.path}`, `XDG_DATA_HOME=${folder.path}`, `DOMAIN=http://127.0.0.1:${String(port)}`];
  const daemon = await startDaemon({
    command: '/usr/bin/env',
    args: [...env, caddy, 'run', '--config', file, '--adapter', 'caddyfile'],
    ready: /serving initial configuration/,
  });
  return {
    async stop() {
      await daemon.stop('SIGKILL');
      await folder.remove();
    },
  };
};

const nginx: StartProxy = async (port, servers) => {
  const written = await recipe('nginx.conf', servers);
  const plain = written.replace('listen 443 ssl http2', `listen 127.0.0.1:${String(port)}`);
  return await startNginxOf(plain.replaceAll(/^\s+ssl_.*\n/gm, ''), port);
};

export const proxies: Readonly<Record<'caddy' | 'haproxy' | 'nginx', StartProxy>> = {
  caddy: startCaddy,
  haproxy: startHaproxy,
  nginx,
};
export type ProxyName = keyof typeof proxies;
export const proxyNames = Object.keys(proxies) as ProxyName[];
