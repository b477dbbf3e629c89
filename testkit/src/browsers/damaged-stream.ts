/**
 * HLS streams with a damaged piece, each of one file, made of a film in three pieces: `second-noise.mp4.m3u8` has noise in
 * place of the second piece, `second-picture.mp4.m3u8` behind its header, which resets the decoder,
 * `first-cut.ts.m3u8` the first half of the first and nothing behind it, as MPEG-TS, and the second piece of
 * `second-gone.mp4.m3u8` is nowhere.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPieces, madeStream } from './made-stream.ts';

export const noise = (bytes: Buffer): void =>
  bytes.forEach((_, at) => (bytes[at] = (at * 7919 + (at >> 3) * 31) & 255));
/** What a bad disk, a broken upload and a cache make of the bytes of a piece. */
const damages: Readonly<Record<string, (piece: Buffer) => void>> = {
  noise,
  zeros: (piece) => void piece.fill(0),
  cut: (piece) => void piece.fill(0, piece.length >> 1),
  page: (piece) => void piece.fill('<!doctype html><title>Sorry</title>'),
  picture: (piece) => noise(piece.subarray(piece.indexOf('mdat') + 4)),
  gone: () => undefined,
};
const places: Readonly<Record<string, readonly number[]>> = { first: [0], second: [1], all: [0, 1, 2] };

/** The bytes at a name, or null for another name. `folder` has `film.m3u8` and `film.mp4`. Throws without ffmpeg. */
export function damagedStream(folder: string, name: string): Buffer | null {
  const [, place = '', damage = '', kind, list] = /^([a-z]+)-([a-z]+)\.(mp4|ts)(\.m3u8)?$/u.exec(name) ?? [];
  const damaging = damages[damage];
  if (kind === undefined || damaging === undefined) return null;
  const whole = kind === 'ts' ? transportStream(folder) : wholeIn(folder, 'film.mp4');
  if (list !== undefined) {
    let at = 0;
    const fileOf = (): string =>
      damage === 'gone' && places[place]?.includes(at++) === true ? 'gone.mp4' : `${place}-${damage}.${kind}`;
    return Buffer.from(
      whole.playlist
        .replaceAll(/"film\.mp4"/gu, `"${place}-${damage}.${kind}"`)
        .replaceAll(/^film\.(?:mp4|ts)$/gmu, fileOf),
    );
  }
  const bytes = Buffer.from(whole.bytes);
  const pieces = [...whole.playlist.matchAll(/^#EXT-X-BYTERANGE:(\d+)@(\d+)/gmu)];
  for (const at of places[place] ?? []) {
    const [, length, from] = pieces[at] ?? [];
    damaging(bytes.subarray(Number(from), Number(from) + Number(length)));
  }
  return bytes;
}

interface Whole {
  readonly playlist: string;
  readonly bytes: Buffer;
}

const wholeIn = (folder: string, film: string): Whole => ({
  playlist: readFileSync(join(folder, 'film.m3u8'), 'utf8'),
  bytes: readFileSync(join(folder, film)),
});

let made: Whole | null = null;

function transportStream(from: string): Whole {
  if (made !== null) return made;
  const film = ['-i', join(from, 'film.mp4'), '-c', 'copy'];
  const files = madeStream([[...film, ...inPieces, '-hls_flags', 'single_file', 'film.m3u8']]);
  made = { playlist: String(files.get('film.m3u8')), bytes: files.get('film.ts') ?? Buffer.alloc(0) };
  return made;
}
