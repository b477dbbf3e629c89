/** The operator's ffmpeg, where there is one: writes the sound of a file anew. Decides nothing about which files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';

/** Writes a track as AAC in MP4. Rejects when it can't, or when the signal ends it. */
export type Rewrite = (from: string, to: string, signal: AbortSignal) => Promise<void>;

const program = 'ffmpeg';
/** Two channels of music at this rate are told from the original by nobody who was asked. */
const bitRate = '192k';
/**
 * What a track may be, whatever its name says. ffmpeg looks at the bytes, and would follow a playlist to the files and
 * addresses that it names.
 */
const readable = ['-protocol_whitelist', 'file', '-format_whitelist', 'mp3,aac,ogg,matroska,mov,flac,wav'];
/** A file that takes longer is broken. */
const longestMs = 30 * 60_000;
const keptErrorBytes = 500;

/** Null where there is no ffmpeg. */
export async function findRewrite(): Promise<Rewrite | null> {
  try {
    await run(['-version'], AbortSignal.timeout(longestMs));
    return rewrite;
  } catch {
    return null;
  }
}

const rewrite: Rewrite = (from, to, signal) => {
  // Only the first sound: a cover would be a video track, and tags are read from the original.
  const sound = ['-map', '0:a:0', '-map_metadata', '-1', '-c:a', 'aac', '-b:a', bitRate];
  // What says how to play it comes first, so that it starts before all of it is there.
  const file = ['-movflags', '+faststart', '-f', 'mp4', to];
  const args = [
    '-nostdin',
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    ...readable,
    '-i',
    `file:${from}`,
    ...sound,
    ...file,
  ];
  return run(args, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
};

async function run(args: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGKILL' });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-keptErrorBytes)));
  const ended = once(child, 'close');
  // Where there is no such program both fail, and then nobody comes to await this one.
  ended.catch(() => undefined);
  await once(child, 'spawn');
  // Those who listen come first. At the lowest priority a long track would not end in time where others keep busy.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(errors.trim() || `ffmpeg ended with ${String(code)}`);
}
