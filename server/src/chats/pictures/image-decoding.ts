/**
 * Makes an uploaded picture safe to show: decodes it, rotates it upright and encodes it again, so that only its pixels
 * are kept (no location, no camera data, no hidden payload). Runs in a process of its own, image-worker.ts.
 */
import sharp from 'sharp';
import { maxPixels } from './image-header.ts';

/** Longest side of what is kept, and of the preview in the list. */
const fullSide = 2048;
const previewSide = 480;

// Only the loaders of the three formats are allowed: each further one of libvips can be attacked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.concurrency(1);
// No cache: no picture is decoded twice, and nothing of one may stay in memory.
sharp.cache(false);

export interface Image {
  /** WebP. */
  full: Uint8Array;
  preview: Uint8Array;
  /** Of `full`, in pixels. */
  width: number;
  height: number;
}

/** Null when the library can't read it: another format, or damaged. */
export async function decodeImage(bytes: Uint8Array): Promise<Image | null> {
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
