/**
 * Hands PCM and frames to ffmpeg. Only whoever rebuilds the library needs ffmpeg; its outputs are committed.
 * Audio is AAC in MP4 on purpose: browsers seek exactly in it, and in no MP3.
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

/** Writes a tagged audio file with its cover embedded. */
export async function encodeAudio(piece: Piece, pcm: Buffer, coverPath: string, outPath: string): Promise<void> {
  await ffmpeg(
    [
      ...pcmInput('pipe:0'),
      '-i',
      coverPath,
      '-map',
      '0:a',
      '-map',
      '1:v',
      '-c:v',
      'copy',
      '-disposition:v',
      'attached_pic',
      ...reproducible,
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      '-b:a',
      audioBitRate.m4a,
      ...tags(piece),
      outPath,
    ],
    async (input) => {
      if (!input.write(pcm)) await once(input, 'drain');
    },
  );
}

/** Writes a tagged film: H.264 with a key frame each second, so that a seek lands at once. */
export async function encodeFilm(
  piece: Piece,
  pcmPath: string,
  seconds: number,
  frameAt: (frame: number) => string,
  outPath: string,
): Promise<void> {
  const frames = Math.floor(seconds * frameRate);
  const draw = (frame: number): Promise<Buffer> =>
    sharp(Buffer.from(picture(frameWidth, frameHeight, frameAt(frame))))
      .removeAlpha()
      .raw()
      .toBuffer();
  const video = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-s',
    `${frameWidth}x${frameHeight}`,
    '-r',
    String(frameRate),
    '-i',
    'pipe:0',
  ];
  const h264 = [
    '-c:v',
    'libx264',
    '-preset',
    'veryslow',
    '-tune',
    'animation',
    '-profile:v',
    'main',
    '-crf',
    '31',
    '-g',
    String(frameRate),
    '-keyint_min',
    String(frameRate),
    '-sc_threshold',
    '0',
    '-bf',
    '2',
    '-threads',
    '2',
  ];
  const colour = [
    '-vf',
    'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p',
    '-colorspace',
    'bt709',
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-color_range',
    'tv',
  ];
  const sound = ['-c:a', 'aac', '-b:a', audioBitRate.mp4, '-movflags', '+faststart'];
  await ffmpeg(
    [
      ...video,
      ...pcmInput(pcmPath),
      '-map',
      '0:v',
      '-map',
      '1:a',
      ...reproducible,
      ...h264,
      ...colour,
      ...sound,
      ...tags(piece),
      outPath,
    ],
    async (input) => {
      const batch = 8;
      for (let first = 0; first < frames; first += batch) {
        const pictures = await Promise.all(
          Array.from({ length: Math.min(batch, frames - first) }, (_, index) => draw(first + index)),
        );
        for (const raw of pictures) if (!input.write(raw)) await once(input, 'drain');
      }
    },
  );
}
