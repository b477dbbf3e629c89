/**
 * A throw-away nginx on a free port of 127.0.0.1 with the lines of one `server` block: Debian's package. Knows nginx,
 * nothing of what it serves.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, startWithRetry } from '../daemon.ts';
import { freePort } from '../free-port.ts';
import { findOrInstall, findProgram } from '../system-programs.ts';
import { makeTempDir } from '../temp-dir.ts';

export interface TestNginx {
  /** Its origin. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Throws `ServiceUnavailable`. */
export function nginxPath(): string {
  return findOrInstall(() => findProgram(['nginx'], ['/usr/sbin']), ['nginx-light'], 'there is no nginx');
}

/** With the lines of one `server` block. Throws `ServiceUnavailable`. */
export async function startNginx(serverLines: string): Promise<TestNginx> {
  return await startWithRetry(async () => {
    const port = await freePort();
    return await startNginxOf(`server {\nlisten 127.0.0.1:${String(port)};\n${serverLines}\n}`, port);
  });
}

/** With the lines of the `http` block, of which one server listens on `port` of 127.0.0.1. Throws `ServiceUnavailable`. */
export async function startNginxOf(httpLines: string, port: number): Promise<TestNginx> {
  const nginx = nginxPath();
  const dir = await makeTempDir('nginx');
  await mkdir(join(dir.path, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(dir.path, 'temp', kind)};`)
    .join('\n');
  // The files of tests belong to the user who runs them.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user}\ndaemon off;\nworker_processes 1;\npid ${join(dir.path, 'pid')};\nerror_log stderr error;`;
  const file = join(dir.path, 'nginx.conf');
  await writeFile(file, `${main}\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${httpLines}\n}\n`);
  const daemon = await startDaemon({
    command: nginx,
    args: ['-c', file, '-e', 'stderr'],
    ready: () =>
      fetch(`http://127.0.0.1:${String(port)}/`).then(
        () => true,
        () => false,
      ),
  });
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async stop() {
      await daemon.stop('SIGTERM');
      await dir.remove();
    },
  };
}
