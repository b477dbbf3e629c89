/**
 * Which pictures are refused before anything of them is decoded: a small file can claim to be enormous, or ask for the
 * same work thousands of times.
 */
import { limits } from '@tunemate/protocol';
import { accept, type Outcome, refuse } from '../ports.ts';
import { maxPixels, readHead } from './image-header.ts';

/** Of one that takes a multiple of the memory. */
const maxHeavyPixels = 12_000_000;
/** Cameras and web sites write ten or so. */
const maxScans = 50;

/** What decoding would cost, in megapixels, at least one. Refusals: input/too-large, input/unsupported. */
export function weighImage(bytes: Uint8Array): Outcome<{ megapixels: number }> {
  if (bytes.byteLength > limits.imageBytes) return refuse('input/too-large');
  const head = readHead(bytes);
  if (head === null || head.scans > maxScans) return refuse('input/unsupported');
  const pixels = head.width * head.height;
  if (pixels > (head.isHeavy ? maxHeavyPixels : maxPixels)) return refuse('input/too-large');
  return accept({ megapixels: Math.max(1, Math.ceil(pixels / 1_000_000)) });
}
