/**
 * Hands PCM and frames to ffmpeg. Only rebuilding the library needs ffmpeg, since its outputs are committed.
 * Audio is AAC in MP4 because browsers seek exactly in it; in MP3 they do not.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import sharp from 'sharp';
import { frameHeight, frameRate, frameWidth } from './film/band.ts';
import type { Piece } from './music/piece.ts';
import { album, artist } from './pieces.ts';
import { picture } from './pictures/shapes.ts';
import { sampleRate } from './sound/voice.ts';

const audioBitRate = { m4a: '96k', mp4: '80k' } as const;

function tags(piece: Piece): string[] {
  const pairs = { title: piece.title, artist, album, genre: piece.mood, copyright: 'CC0 1.0' };
  return Object.entries(pairs).flatMap(([key, value]) => ['-metadata', `${key}=${value}`]);
}

const option = (name: string, value: string | number): string[] => [`-${name}`, String(value)];

const reproducible = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];
const pcmInput = (source: string): string[] => ['-f', 's16le', '-ar', String(sampleRate), '-ac', '2', '-i', source];

/** Runs ffmpeg, feeding its standard input with `feed`; rejects when it fails. */
async function ffmpeg(args: readonly string[], feed: (input: Writable) => Promise<void>): Promise<void> {
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const closed = once(child, 'close');
  await feed(child.stdin);
  child.stdin.end();
  const [code] = await closed;
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}`);
}

/** AAC, with the index at the front so that a browser can begin at once. */
const sound = (bitRate: string): string[] => [
  ...option('c:a', 'aac'),
  ...option('b:a', bitRate),
  ...option('movflags', '+faststart'),
];

/** Writes a tagged audio file with its cover embedded. */
export async function encodeAudio(piece: Piece, pcm: Buffer, coverPath: string, outPath: string): Promise<void> {
  const cover = [...option('c:v', 'copy'), ...option('disposition:v', 'attached_pic')];
  const inputs = [...pcmInput('pipe:0'), '-i', coverPath, '-map', '0:a', '-map', '1:v'];
  await ffmpeg(
    [...inputs, ...cover, ...reproducible, ...sound(audioBitRate.m4a), ...tags(piece), outPath],
    async (input) => {
      if (!input.write(pcm)) await once(input, 'drain');
    },
  );
}

const rawVideo = [
  ...option('f', 'rawvideo'),
  ...option('pix_fmt', 'rgb24'),
  ...option('s', `${frameWidth}x${frameHeight}`),
  ...option('r', frameRate),
  ...option('i', 'pipe:0'),
];
/** A key frame each second, so that a seek lands at once. */
const h264 = [
  ...option('c:v', 'libx264'),
  ...option('preset', 'veryslow'),
  ...option('tune', 'animation'),
  ...option('profile:v', 'main'),
  ...option('crf', 31),
  ...option('g', frameRate),
  ...option('keyint_min', frameRate),
  ...option('sc_threshold', 0),
  ...option('bf', 2),
  ...option('threads', 2),
];
const colour = [
  ...option('vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'),
  ...option('colorspace', 'bt709'),
  ...option('color_primaries', 'bt709'),
  ...option('color_trc', 'bt709'),
  ...option('color_range', 'tv'),
];

/** Writes a tagged film with its sound. */
export async function encodeFilm(
  piece: Piece,
  pcmPath: string,
  seconds: number,
  frameAt: (frame: number) => string,
  outPath: string,
): Promise<void> {
  const inputs = [...rawVideo, ...pcmInput(pcmPath), '-map', '0:v', '-map', '1:a'];
  await ffmpeg(
    [...inputs, ...reproducible, ...h264, ...colour, ...sound(audioBitRate.mp4), ...tags(piece), outPath],
    (input) => writeFrames(input, Math.floor(seconds * frameRate), frameAt),
  );
}

/** Draws eight frames at a time, so that a film of minutes does not have to fit into memory. */
async function writeFrames(input: Writable, count: number, frameAt: (frame: number) => string): Promise<void> {
  const draw = (frame: number): Promise<Buffer> =>
    sharp(Buffer.from(picture(frameWidth, frameHeight, frameAt(frame))))
      .removeAlpha()
      .raw()
      .toBuffer();
  const batch = 8;
  for (let first = 0; first < count; first += batch) {
    const frames = Array.from({ length: Math.min(batch, count - first) }, (_, index) => draw(first + index));
    for (const raw of await Promise.all(frames)) if (!input.write(raw)) await once(input, 'drain');
  }
}
