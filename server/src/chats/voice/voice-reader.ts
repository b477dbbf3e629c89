/**
 * Makes untrusted recordings safe: ffmpeg decodes one, in a process of its own and within bounds, and writes its sound
 * anew, so that nothing but the sound remains. Its length and how loud its parts are come from what was decoded, never
 * from what the file says.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { limits } from '@tunemate/protocol';
import { findsFfmpeg, finished, inputOf } from '../../system/ffmpeg.ts';
import { createNetworkTurns } from '../../system/network-turns.ts';
import { Failure, type Log } from '../../system/ports.ts';
import { asError } from '../../system/printable.ts';

/** What browsers record into. */
const formats = 'matroska,ogg,mov';
const codecs = 'opus,libopus,vorbis,aac';
/** A browser may go on for a moment once it is stopped. */
const toleranceMs = 2000;
/** Of the sound that is measured: samples a second, mono, 16 bits. */
const rate = 8000;
/** More than all people of an evening send at once. */
const queueLength = 64;
/** The loudest part below this (of 32,768) is silence, which has no shape. */
const silence = 30;

export interface Voice {
  /** AAC in MP4, which every browser plays and seeks. */
  sound: Uint8Array;
  durationMs: number;
  waveform: number[];
}

/** No sound that a browser records; longer than a recording may be; over the time of one recording. */
export type VoiceFault = 'unreadable' | 'too-long' | 'too-costly';

export type VoiceReader = ReturnType<typeof voiceReader>;

interface VoiceReaderOptions {
  log: Log;
  /** Processor time of one recording, in seconds: ffmpeg ends itself. */
  cpuSeconds?: number;
  /** For one that hangs: a busy machine gives ffmpeg its processor time slowly. */
  killAfterMs?: number;
}

export function voiceReader({ log, cpuSeconds = 20, killAfterMs = 180_000 }: VoiceReaderOptions) {
  const ending = new AbortController();
  const inTurn = createNetworkTurns({ atOnce: 1, queueLength, whenFull: 'voice.queue-full' });

  /** `recorded` and `written` are files that it makes and removes. */
  async function readNow(bytes: Uint8Array, recorded: string, written: string): Promise<Voice | VoiceFault> {
    const late = AbortSignal.timeout(killAfterMs);
    try {
      await writeFile(recorded, bytes, { mode: 0o600 });
      const args = convert(recorded, written, cpuSeconds);
      const { output } = await finished(args, AbortSignal.any([ending.signal, late]));
      const durationMs = Math.round((output.length / 2 / rate) * 1000);
      if (durationMs > limits.voiceMs + toleranceMs) return 'too-long';
      if (durationMs < 1) return 'unreadable';
      return { sound: await readFile(written), durationMs, waveform: waveformOf(output) };
    } catch (error) {
      if (ending.signal.aborted || !findsFfmpeg()) {
        throw new Failure('server/unavailable', 'voice.no-decoder', error);
      }
      const detail = asError(error).message.slice(0, 200);
      const isCostly = late.aborted || detail.includes('ended with null');
      if (isCostly) log.warn({ bytes: bytes.byteLength, detail }, 'voice.decoder-killed');
      return isCostly ? 'too-costly' : 'unreadable';
    } finally {
      await Promise.all([recorded, written].map((path) => rm(path, { force: true })));
    }
  }

  return {
    /** Throws a Failure without ffmpeg, or when too many recordings wait. */
    read: (bytes: Uint8Array, recorded: string, written: string, network = ''): Promise<Voice | VoiceFault> =>
      inTurn({ network, isKnown: true }, () => readNow(bytes, recorded, written)),
    /** Ends the one that runs. */
    close: () => Promise.resolve(ending.abort()),
  };
}

/** Writes the sound anew, without anything else that the file has, and sends it to standard output for measuring. */
function convert(from: string, to: string, cpuSeconds: number): string[] {
  const longest = ['-t', String((limits.voiceMs + toleranceMs) / 1000 + 1)];
  const sound = [...longest, '-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
  return [
    ...['-timelimit', String(cpuSeconds), '-max_alloc', String(64 * 1024 * 1024), '-filter_threads', '1'],
    ...inputOf(from, ['-threads', '1', '-codec_whitelist', codecs], formats),
    ...[...sound, '-ac', '1', '-ar', '48000', '-c:a', 'aac', '-b:a', '64k', '-threads', '1'],
    ...['-fflags', '+bitexact', '-movflags', '+faststart', '-f', 'mp4', `file:${to}`],
    ...[...sound, '-ac', '1', '-ar', String(rate), '-c:a', 'pcm_s16le', '-f', 's16le', 'pipe:1'],
  ];
}

/** How loud each part is beside the loudest one, from 0 to 100. */
export function waveformOf(samples: Buffer): number[] {
  const count = Math.floor(samples.length / 2);
  const parts = Array.from({ length: limits.voiceBars }, (_, bar) => {
    const [from, to] = [bar, bar + 1].map((edge) => Math.floor((edge * count) / limits.voiceBars));
    return loudness(samples, from ?? 0, to ?? 0);
  });
  const loudest = Math.max(...parts);
  return parts.map((each) => (loudest < silence ? 0 : Math.round(100 * Math.sqrt(each / loudest))));
}

function loudness(samples: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += samples.readInt16LE(at * 2) ** 2;
  return to > from ? Math.sqrt(sum / (to - from)) : 0;
}
