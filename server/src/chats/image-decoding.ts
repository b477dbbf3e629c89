/**
 * Makes an uploaded picture safe to show: decoded, turned upright and encoded anew, so that nothing of the file is kept
 * but its pixels (no place, no camera, no hidden payload). Runs in a process of its own, see picture-process.ts.
 */
import sharp from 'sharp';
import { maxPixels } from './image-header.ts';

/** Longest side of what is kept, and of the preview in the list. */
const fullSide = 2048;
const previewSide = 480;

// Only what the three formats need may read a file: libvips knows many more, each a way in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.concurrency(1);
// No picture is decoded twice, and nothing of one may wait in memory for the next.
sharp.cache(false);

export interface Image {
  /** WebP. */
  full: Uint8Array;
  preview: Uint8Array;
  /** Of `full`, in pixels. */
  width: number;
  height: number;
}

/** Null when the library can't read it: another format, or damaged. It says no more than that. */
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
