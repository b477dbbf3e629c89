/** What ffmpeg measures of a media file: its length and its loudness. */
import { finished, inputOf, runFfmpeg } from '../../system/ffmpeg.ts';

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
