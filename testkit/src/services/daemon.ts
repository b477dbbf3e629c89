/**
 * Runs a helper program (PostgreSQL, Redis) as a child that says when it is ready and never outlives us.
 * Knows processes only, nothing of what the program does.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How to run one program. */
export interface DaemonOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** What the program prints when it takes connections; or asks a program that prints nothing. */
  readonly ready: RegExp | (() => Promise<boolean>);
  /** The user to run as; only root may give one. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** A program that has said it is ready. */
export interface Daemon {
  /** Sends the signal and waits until the process is gone; does nothing when it already is. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

const outputKept = 4000;
const askEveryMs = 100;

/** Starts the program and waits for its ready line; rejects with its last words when it ends before that. */
export async function startDaemon({ command, args, ready, user }: DaemonOptions): Promise<Daemon> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...user });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.removeListener('exit', endWithUs));
  await readyLine(child, command, ready);
  return {
    async stop(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

function readyLine(child: ChildProcess, command: string, ready: DaemonOptions['ready']): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputKept);
      if (ready instanceof RegExp && ready.test(output)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    if (!(ready instanceof RegExp)) {
      const ask = async () => {
        if (await ready()) {
          clearInterval(asking);
          resolve();
        }
      };
      const asking = setInterval(() => void ask().catch(reject), askEveryMs);
      child.once('exit', () => clearInterval(asking));
    }
    child.once('exit', (code, signal) => reject(new Error(`${command} ended (${code ?? signal}) early:\n${output}`)));
  });
}

/** Tries a start that needs a free port again when another process was faster to take that port. */
export async function startWithRetry<T>(start: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (attempts <= 1) throw error;
    return startWithRetry(start, attempts - 1);
  }
}
