/**
 * Decides which pictures are refused before they are decoded: a small file can declare an enormous size, or the same
 * work thousands of times.
 */
import { limits, type Result } from '@tunemate/protocol';
import { accept, refuse } from '../../system/ports.ts';
import { maxPixels, readHead } from './image-header.ts';

/** The limit for a picture that takes a multiple of the memory. */
const maxHeavyPixels = 12_000_000;
/** Cameras and web sites write about ten. */
const maxScans = 50;

/** What decoding would cost, in megapixels, at least one. Refusals: input/too-large, input/unsupported. */
export function weighImage(bytes: Uint8Array): Result<{ megapixels: number }> {
  if (bytes.byteLength > limits.imageBytes) return refuse('input/too-large');
  const head = readHead(bytes);
  if (head === null || head.scans > maxScans) return refuse('input/unsupported');
  const pixels = head.width * head.height;
  if (pixels > (head.isHeavy ? maxHeavyPixels : maxPixels)) return refuse('input/too-large');
  return accept({ megapixels: Math.max(1, Math.ceil(pixels / 1_000_000)) });
}
