/**
 * Makes an uploaded picture safe to show: decoded, turned upright and encoded anew, so that nothing of the file is kept
 * but its pixels (no place, no camera, no hidden payload). Knows nothing of chats.
 */
import { limits } from '@tunemate/protocol';
import sharp from 'sharp';
import { accept, type Outcome, refuse } from '../ports.ts';

/** Decoded pixels of one picture; a small file can claim to be enormous. */
const maxPixels = 40_000_000;
/** Longest side of what is kept, and of the preview in the list. */
const fullSide = 2048;
const previewSide = 480;

// Only what the three formats need may read a file: libvips knows many more, each a way in.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.concurrency(1);

export interface Picture {
  /** WebP. */
  full: Buffer;
  preview: Buffer;
  /** Of `full`, in pixels. */
  width: number;
  height: number;
}

/** Reads a JPEG, PNG or WebP of at most 5 MB. Refusals: input/too-large, input/unsupported. */
export async function readPicture(bytes: Uint8Array): Promise<Outcome<Picture>> {
  if (bytes.byteLength > limits.imageBytes) return refuse('input/too-large');
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > maxPixels) return refuse('input/too-large');
    const full = await encode(bytes, fullSide);
    const preview = await encode(full.data, previewSide);
    return accept({ full: full.data, preview: preview.data, width: full.info.width, height: full.info.height });
  } catch {
    // Not one of the three, or damaged: the library says no more than that it could not read it.
    return refuse('input/unsupported');
  }
}

async function encode(bytes: Uint8Array, longestSide: number) {
  return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true });
}
