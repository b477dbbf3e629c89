/**
 * Runs ffmpeg, where this machine has it: below the server in priority, for a limited time, and on nothing but the file
 * that is named.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

const program = 'ffmpeg';
/**
 * The formats a track may have, whatever its name. ffmpeg detects formats by content, and would follow a playlist to the
 * files and addresses that it names.
 */
const readable = ['-protocol_whitelist', 'file', '-format_whitelist', 'mp3,aac,ogg,matroska,mov,flac,wav'];
const keptErrorBytes = 500;
/** The last words of the program: a summary has fewer. */
const keptLogBytes = 4000;
/** More than an answer on standard output has. */
const mostOutputBytes = 8 * 1024 * 1024;

/** A file of the library as input; `before` are options of reading. */
export const inputOf = (path: string, before: readonly string[] = []): string[] => [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
  ...readable,
  ...before,
  ...['-i', `file:${path}`],
];

/** What the program writes to standard output. Rejects when it fails, when there is none, or when the signal ends it. */
export const runFfmpeg = async (args: readonly string[], signal: AbortSignal): Promise<Buffer> =>
  (await finished(args, signal)).output;

async function finished(args: readonly string[], signal: AbortSignal): Promise<{ output: Buffer; log: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
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
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(log.slice(-keptErrorBytes).trim() || `ffmpeg ended with ${String(code)}`);
  return { output: Buffer.concat(output), log };
}

/** Whether this machine has ffmpeg by now: it may be installed while the server runs. */
export function hasFfmpeg(): Promise<boolean> {
  return runFfmpeg(['-version'], AbortSignal.timeout(60_000)).then(
    () => true,
    () => false,
  );
}

/** A file that takes longer to count is broken. */
const longestCountMs = 5 * 60_000;

/**
 * The length of a file that does not say it, as recordings of browsers and streams do not: its packets are read to the
 * end, without decoding. Null when it can't be counted, as without ffmpeg.
 */
export async function countedSeconds(path: string): Promise<number | null> {
  const count = [
    '-map',
    '0:v:0?',
    '-map',
    '0:a:0?',
    '-c',
    'copy',
    '-f',
    'null',
    '-progress',
    'pipe:1',
    '-nostats',
    '-',
  ];
  try {
    const progress = await runFfmpeg([...inputOf(path), ...count], AbortSignal.timeout(longestCountMs));
    const last = [...progress.toString().matchAll(/^out_time_us=(\d{1,15})$/gmu)].at(-1)?.[1];
    const seconds = Number(last ?? 0) / 1_000_000;
    return seconds > 0 ? seconds : null;
  } catch {
    return null;
  }
}

/** More of a recording changes little. */
const heardSeconds = 3600;

/**
 * How loud the first sound of a file is as recorded, in LUFS after EBU R 128, over its first hour; null for silence.
 * Rejects when it can't be measured.
 */
export async function measuredLufs(path: string, signal: AbortSignal): Promise<number | null> {
  // The summary is logged at 'info', the state of each moment at 'verbose'.
  const filter = [
    '-map',
    '0:a:0',
    '-af',
    'ebur128=framelog=verbose',
    '-f',
    'null',
    '-nostats',
    '-loglevel',
    'info',
    '-',
  ];
  const { log } = await finished([...inputOf(path, ['-t', String(heardSeconds)]), ...filter], signal);
  const [, said] = /Integrated loudness:\s+I:\s+(\S{1,12}) LUFS/u.exec(log.slice(log.lastIndexOf('Summary:'))) ?? [];
  if (said === undefined) throw new Error('ffmpeg says no loudness');
  const lufs = Number(said);
  return isLoudness(lufs) ? lufs : null;
}

/** Beyond, a figure is silence or nonsense: the meter begins at -70, and full scale is near 0. */
export const isLoudness = (lufs: number): boolean => lufs > -60 && lufs < 10;
