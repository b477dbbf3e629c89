/** Runs commands of the operator, beside or without a server. Knows their settings and what they print. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { neededByPrograms } from './process.ts';
import { runOperatorCommand } from '../../../server/src/operator/operator-program.ts';

const program = join(import.meta.dirname, '../../../server/src/operate.ts');

export interface Operated {
  exitCode: number | null;
  /** What it printed, both streams. */
  said: string;
}

type Settings = Readonly<Record<string, string>>;

/** Carries out `tunemate …args` with these settings and no others. */
export async function operate(args: readonly string[], env: Settings): Promise<Operated> {
  let said = '';
  const hear = (text: string): void => void (said += text);
  const exitCode = await runOperatorCommand(args, { env, folder: process.cwd(), say: hear, complain: hear });
  return { exitCode, said };
}

/** The same as a program of its own, as `npm run` starts it, with nothing else of our environment but what programs need. */
export async function operateProgram(args: readonly string[], env: Settings): Promise<Operated> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...neededByPrograms(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, said };
}
