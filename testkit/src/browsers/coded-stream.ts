/**
 * HLS streams of pieces that are whole but not coded as their beginning says, as where a server joins pieces of several
 * encoders: only the decoder fails. Made by ffmpeg of a film in three pieces: `second-coded.m3u8` has another picture in the
 * second piece, `second-tuned.m3u8` another sound, `all-coded.m3u8` another picture throughout.
 */
import { inPieces, madeStream } from './made-stream.ts';

const codings = {
  own: ['-c', 'copy'],
  coded: ['-c:a', 'copy', '-c:v', 'libx264', '-profile:v', 'high', '-bf', '2', '-g', '20'],
  tuned: ['-c:v', 'copy', '-c:a', 'aac', '-ar', '22050', '-ac', '1'],
} as const;

/** Its files by their names. Throws `ServiceUnavailable` without ffmpeg. */
export function codedStream(film: string): ReadonlyMap<string, Buffer> {
  const files = madeStream(
    Object.entries(codings).map(([name, coding]) => {
      const named = ['-hls_fmp4_init_filename', `${name}.mp4`, '-hls_segment_filename', `${name}-%d.m4s`];
      return ['-i', film, ...coding, ...inPieces, '-hls_segment_type', 'fmp4', ...named, `${name}.m3u8`];
    }),
  );
  const own = String(files.get('own.m3u8'));
  const list = (name: string, from: RegExp) =>
    [`${name}.m3u8`, Buffer.from(own.replaceAll(from, `${name.split('-')[1] ?? ''}-$1.m4s`))] as const;
  return new Map([
    ...files,
    list('second-coded', /own-(1)\.m4s/gu),
    list('second-tuned', /own-(1)\.m4s/gu),
    list('all-coded', /own-(\d)\.m4s/gu),
  ]);
}
