/** Runs the real server where it must refuse to start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { neededByPrograms } from './process.ts';

const main = join(import.meta.dirname, '../../../server/src/main.ts');

/**
 * Answers its exit code and what it said; `env` names DATA_DIR. One that starts after all is killed after a minute.
 * `nodeFlags` come before the server's file.
 */
export async function failingStart(
  env: Readonly<Record<string, string>>,
  nodeFlags: readonly string[] = [],
): Promise<{ exitCode: number | null; said: string }> {
  const child = spawn(process.execPath, [...nodeFlags, main], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { ...neededByPrograms(), HOST: '127.0.0.1', PORT: String(await freePort()), LOG_LEVEL: 'error', ...env },
  });
  let said = '';
  const keep = (piece: Buffer) => void (said += piece.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, said };
}
