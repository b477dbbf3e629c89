/** What ffmpeg measures of a media file: its length, its loudness, and how loud its parts are. */
import { limits } from '@tunemate/protocol';
import { tempoOf } from './tempo.ts';
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
/** Of the sound whose parts are compared: samples a second, mono, 8 bits. */
const rate = 2000;
/** The loudest part below this (of 128) is silence, which has no shape. */
const silence = 0.5;
const loudestDigit = 35;

export interface MeasuredTrack {
  /** As recorded, in LUFS after EBU R 128; null for silence. */
  lufs: number | null;
  /** As in the answer of `library/loudness`; empty for silence, and for more than an hour. */
  peaks: string;
  /** In beats a minute; 0 where there is no steady beat. */
  tempo: number;
}

/** Measures the first sound of a file, over its first hour. Rejects when it can't be measured. */
export async function measuredTrack(path: string, signal: AbortSignal): Promise<MeasuredTrack> {
  const sound = ['-map', '0:a:0'];
  // The summary is logged at 'info', the state of each moment at 'verbose'.
  const meter = [...sound, '-af', 'ebur128=framelog=verbose', '-f', 'null', '-nostats', '-loglevel', 'info', '-'];
  const mono = [...sound, '-ac', '1', '-ar', String(rate), '-c:a', 'pcm_s8', '-f', 's8', 'pipe:1'];
  const input = inputOf(path, ['-t', String(heardSeconds)]);
  const { log, output } = await finished([...input, ...meter, ...mono], signal);
  const [, said] = /Integrated loudness:\s+I:\s+(\S{1,12}) LUFS/u.exec(log.slice(log.lastIndexOf('Summary:'))) ?? [];
  if (said === undefined) throw new Error('ffmpeg says no loudness');
  const lufs = Number(said);
  const samples = new Int8Array(output.buffer, output.byteOffset, output.length);
  return { lufs: isLoudness(lufs) ? lufs : null, peaks: peaksOf(samples), tempo: tempoOf(samples, rate) };
}

/** Beyond, a figure is silence or nonsense: the meter begins at -70, and full scale is near 0. */
export const isLoudness = (lufs: number): boolean => lufs > -60 && lufs < 10;

export function peaksOf(samples: Int8Array): string {
  const count = samples.length;
  if (count < limits.trackParts || count > (heardSeconds - 1) * rate) return '';
  const parts = Array.from({ length: limits.trackParts }, (_, part) => {
    const [from, to] = [part, part + 1].map((edge) => Math.floor((edge * count) / limits.trackParts)) as [
      number,
      number,
    ];
    let sum = 0;
    for (let at = from; at < to; at += 1) sum += (samples[at] ?? 0) ** 2;
    return Math.sqrt(sum / (to - from));
  });
  const loudest = Math.max(...parts);
  if (loudest < silence) return '';
  return parts.map((each) => Math.round(loudestDigit * Math.sqrt(each / loudest)).toString(36)).join('');
}
