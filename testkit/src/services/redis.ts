/**
 * A throw-away Redis (or Valkey): the one that TEST_REDIS_URL names, else a local binary on a free port,
 * else Debian's package. It keeps nothing on disk: a restart forgets everything, as the worst real one does.
 */
import { startDaemon, startWithRetry, type Daemon } from './daemon.ts';
import { freePort } from './free-port.ts';
import { findOrInstall, findProgram, ServiceUnavailable } from './system-programs.ts';
import { makeTempDir } from './temp-dir.ts';

/** A server for tests. */
export interface TestRedis {
  readonly url: string;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts or finds a server; `own` passes over a given one, for tests that kill it. Throws `ServiceUnavailable`. */
export async function startRedis({ own = false } = {}): Promise<TestRedis> {
  const given = process.env['TEST_REDIS_URL'];
  if (given !== undefined && given !== '' && !own) return givenServer(given);
  const command = binary();
  const dir = await makeTempDir('redis');
  const start = (port: number): Promise<Daemon> =>
    startDaemon({
      command,
      args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir.path, '--save', '', '--appendonly', 'no'],
      ready: /Ready to accept connections/,
    });
  let port = 0;
  let daemon = await startWithRetry(async () => start((port = await freePort())));
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => daemon.stop('SIGKILL'),
    async restart() {
      await daemon.stop('SIGKILL');
      daemon = await start(port);
    },
    async stop() {
      await daemon.stop('SIGTERM');
      await dir.remove();
    },
  };
}

function givenServer(url: string): TestRedis {
  const notOurs = () => Promise.reject(new ServiceUnavailable('the server of TEST_REDIS_URL is not ours to kill'));
  return { url, kill: notOurs, restart: notOurs, stop: () => Promise.resolve() };
}

function binary(): string {
  return findOrInstall(
    () => findProgram(['redis-server', 'valkey-server']),
    ['redis-server'],
    'Redis is not here: set TEST_REDIS_URL, or put redis-server or valkey-server on the PATH',
  );
}
