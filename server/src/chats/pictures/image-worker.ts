/**
 * The program that makes untrusted pictures safe, started and killed by image-reader.ts. It decodes a picture, rotates it
 * upright and encodes it again, so that only its pixels remain (no location, no camera data, no hidden payload). A
 * picture that takes too much memory or processor time, or crashes the decoder, ends this process and not the server.
 */
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { maxPixels } from './image-header.ts';

/** Longest side of what is kept, and of the preview in the list. */
const fullSide = 2048;
const previewSide = 480;

// Only the loaders of the three formats: each further loader of libvips adds attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.concurrency(1);
// No cache: no picture is decoded twice, and its pixels must not stay in memory.
sharp.cache(false);

export interface Image {
  /** WebP. */
  full: Uint8Array;
  preview: Uint8Array;
  /** Of `full`, in pixels. */
  width: number;
  height: number;
}

/** Null for another format or a damaged picture. */
async function decodeImage(bytes: Uint8Array): Promise<Image | null> {
  try {
    const full = await encode(bytes, fullSide);
    const preview = await encode(full.data, previewSide);
    return { full: full.data, preview: preview.data, width: full.info.width, height: full.info.height };
  } catch {
    return null;
  }
}

async function encode(bytes: Uint8Array, longestSide: number) {
  return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true });
}

/** The arguments: the memory of the whole process in MB, and the processor time of one picture in ms. */
const maxMemoryBytes = Number(process.argv[2]) * 1024 * 1024;
const maxCpuMs = Number(process.argv[3]);
const pollEveryMs = 20;

/** Exits at once: an orderly exit would wait for the decoder's threads. */
const die = () => void process.kill(process.pid, 'SIGKILL');

/** Processor time of this process before it began the picture it is decoding; null between pictures. */
let before: NodeJS.CpuUsage | null = null;

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

// The decoder's memory is not on the JavaScript heap, so no flag limits it. This thread is free to check both.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes || (before !== null && cpuMs(before) > maxCpuMs)) die();
}, pollEveryMs);

try {
  // Linux: when the machine itself runs out of memory, this process goes first.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // On other systems the limit above has to suffice.
}

// The server ended without killing this process.
process.on('disconnect', die);
// Ctrl+C reaches every process of the terminal; the server finishes running work before it ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('message', (bytes: Uint8Array) => {
  before = process.cpuUsage();
  void decodeImage(bytes).then((image) => {
    before = null;
    process.send?.(image);
  });
});
process.send?.('ready');
