/**
 * Runs ffmpeg, where this machine has it: below the server in priority, for a limited time, on nothing but the file that
 * is named, and without the settings of the server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants as access } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

const program = 'ffmpeg';
/** The formats a track may have, whatever its name. */
const formatsOfTracks = 'mp3,aac,ogg,matroska,mov,flac,wav';
const keptErrorBytes = 500;
/** The last words of the program: a summary has fewer. */
const keptLogBytes = 4000;
/** More than an answer on standard output has. */
const mostOutputBytes = 8 * 1024 * 1024;

/**
 * A file as input, of one of these formats; `before` are options of reading. ffmpeg detects formats by content, and would
 * follow a playlist to the files and addresses that it names.
 */
export const inputOf = (path: string, before: readonly string[] = [], formats = formatsOfTracks): string[] => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
  ...['-protocol_whitelist', 'file', '-format_whitelist', formats],
  ...before,
  ...['-i', `file:${path}`],
];

/** What the program writes to standard output. Rejects when it fails, when there is none, or when the signal ends it. */
export const runFfmpeg = async (args: readonly string[], signal: AbortSignal): Promise<Buffer> =>
  (await finished(args, signal)).output;

/** The same with the last that it logged. */
export async function finished(args: readonly string[], signal: AbortSignal): Promise<{ output: Buffer; log: string }> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The server's settings contain secrets.
    env: { PATH: process.env['PATH'] },
    signal,
    killSignal: 'SIGKILL',
  });
  let log = '';
  child.stderr.on('data', (data: Buffer) => (log = (log + data.toString()).slice(-keptLogBytes)));
  const output: Buffer[] = [];
  let outputBytes = 0;
  child.stdout.on('data', (data: Buffer) => {
    outputBytes += data.length;
    if (outputBytes <= mostOutputBytes) output.push(data);
  });
  const ended = once(child, 'close');
  // Without the program 'spawn' rejects first and `ended` is never awaited.
  ended.catch(() => undefined);
  await once(child, 'spawn');
  // Below the server, but not lowest: on a busy machine a long track would not finish in time.
  if (child.pid !== undefined) lowerPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(log.slice(-keptErrorBytes).trim() || `ffmpeg ended with ${String(code)}`);
  return { output: Buffer.concat(output), log };
}

/**
 * Whether this machine has ffmpeg by now: it may be installed while the server runs. False once `ending` has ended: a stop
 * does not wait for the answer.
 */
export function hasFfmpeg(ending?: AbortSignal): Promise<boolean> {
  const late = AbortSignal.timeout(60_000);
  return runFfmpeg(['-version'], ending ? AbortSignal.any([ending, late]) : late).then(
    () => true,
    () => false,
  );
}

/** The same without running it: whether a program of this name can be run. */
export const findsFfmpeg = (): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => canRun(join(folder, program)));

function canRun(path: string): boolean {
  try {
    accessSync(path, access.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lowers the priority of a process (0: this one) to `priority`, as the system counts it: a larger number comes later. One
 * that comes later already stays: a user without rights may not raise it, as under `nice -n 15`.
 */
export function lowerPriority(pid: number, priority: number): void {
  if (getPriority(pid) < priority) setPriority(pid, priority);
}
