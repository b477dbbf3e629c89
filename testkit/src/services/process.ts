/**
 * Runs the real server as a child process: for journeys, crashes and several processes.
 * Knows the settings and the ready answer of the server, nothing of its code.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { makeTempDir } from './temp-dir.ts';

/** What a test may choose of a server. */
export interface ServerProcessOptions {
  /** Settings of the server (`DATABASE_URL`, `REDIS_URL`, …); nothing else of our own environment reaches it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By default any that is free. */
  readonly port?: number;
  /** Two processes that share one folder (outbox, secret) name it; without it each has a temporary one. */
  readonly dataDir?: string;
  /** Further flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** What Node runs instead of the server's own file. */
  readonly program?: readonly string[];
}

/** A server that answers `/readyz`. */
export interface ServerProcess {
  /** Its origin, without a slash at the end. The same over restarts. */
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** What it has printed so far: one JSON log line for each event. */
  log(): string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again after `kill` or `stop`, or another program in its place, on the same port and data. */
  restart(program?: readonly string[]): Promise<void>;
  /** Asks it to end and answers its exit code; temporary data is removed by `dispose`. */
  stop(): Promise<number | null>;
  /** Resolves with its exit code when it has ended by itself. */
  ended(): Promise<number | null>;
  /** Ends it and removes its temporary data. */
  dispose(): Promise<void>;
}

const repository = join(import.meta.dirname, '../../..');
const serverFlags = ['--disable-proto=delete', '--max-http-header-size=16384', '--max-semi-space-size=16'];
/**
 * The server from its sources, or what a run has built of them (scripts/test-suite.mjs): that starts with half
 * of the work, which counts where each test has a server of its own.
 */
export const serverProgram = process.env['SERVER_PROGRAM'] ?? 'server/src/main.ts';
/** A server that is not ready by then never will be. On a busy machine Node alone takes many seconds to start. */
const readyWithinMs = 300_000;
const askAgainAfterMs = 25;

/** Starts a server on a free port of 127.0.0.1 and waits until it is ready. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { env = {}, dataDir, nodeFlags = [], program = [serverProgram] } = options;
  const port = options.port ?? (await freePort());
  const temporary = dataDir === undefined ? await makeTempDir('server') : undefined;
  const data = dataDir ?? temporary?.path ?? '';
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: data,
    ...neededByPrograms(),
    ...env,
  };
  let log = '';

  const launch = async (what: readonly string[]): Promise<ChildProcess> => {
    const started = spawn(process.execPath, [...serverFlags, ...nodeFlags, ...what], {
      cwd: repository,
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => (log += chunk.toString());
    started.stdout.on('data', keep);
    started.stderr.on('data', keep);
    const endWithUs = () => started.kill('SIGKILL');
    process.once('exit', endWithUs);
    started.once('exit', () => process.removeListener('exit', endWithUs));
    await answersReady(url, started, () => log);
    return started;
  };

  let child = await launch(program);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (!hasEnded(child)) {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
    return child.exitCode;
  };
  return {
    url,
    dataDir: data,
    get pid() {
      return child.pid ?? 0;
    },
    log: () => log,
    kill: async () => void (await end('SIGKILL')),
    restart: async (other = program) => void (child = await launch(other)),
    stop: () => end('SIGTERM'),
    async ended() {
      if (!hasEnded(child)) await once(child, 'exit');
      return child.exitCode;
    },
    async dispose() {
      await end('SIGKILL');
      await temporary?.remove();
    },
  };
}

/**
 * Only variables that programs need to start, so that a test does not depend on the settings of its user; and where Node
 * keeps compiled code, without which a server takes twice as long to start.
 */
export function neededByPrograms(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function answersReady(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const giveUpAt = performance.now() + readyWithinMs;
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    if (hasEnded(child)) throw new Error(`the server ended (${child.exitCode ?? child.signalCode}):\n${log()}`);
    if (performance.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`the server was not ready within ${readyWithinMs} ms:\n${log()}`);
    }
    await pause(askAgainAfterMs);
  }
}
