/** Pictures of private chats: decoded, and kept as two WebP files. */
import { limits, type PrivateMessage, type Result, type Uid } from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import { accept, refuse } from '../../system/ports.ts';
import type { UploadsService } from '../uploads/uploads.ts';
import { maxPixels, readHead } from './image-header.ts';
import type { ImageFault, ImageReader } from './image-reader.ts';

export type ImageSize = 'full' | 'preview';

interface ImagesDeps {
  uploads: UploadsService;
  reader: Pick<ImageReader, 'read'>;
  limits: Limits;
}

type ChatImage = NonNullable<PrivateMessage['image']>;

const codeOf = {
  unreadable: 'input/unsupported',
  'too-costly': 'input/too-large',
  'broke-decoder': 'input/unsupported',
} as const satisfies Record<ImageFault, string>;

export function imagesService({ uploads, reader, limits }: ImagesDeps) {
  /**
   * Stores a picture for the chat with `other`; a message then refers to it by the answer's `imageId`. Networks take
   * turns at decoding.
   */
  async function upload(uid: Uid, other: Uid, bytes: Uint8Array, network = ''): Promise<Result<ChatImage>> {
    if (uid === other) return refuse('input/invalid');
    const weight = weighImage(bytes);
    if (weight.ok) {
      const mayRead = await payFor(uid, weight.value.megapixels);
      if (!mayRead.ok) return mayRead;
    }
    return await uploads.store(weight, { uid, other, decode: (imageId) => decode(uid, imageId, bytes, network) });
  }

  /** Counted before decoding, and also when that fails: the work is done either way. */
  async function payFor(uid: Uid, megapixels: number): Promise<Result<unknown>> {
    const hasBehaved = await limits.peek('lostImages', uid);
    return hasBehaved.ok ? await limits.take('megapixels', uid, megapixels) : hasBehaved;
  }

  async function decode(uid: Uid, imageId: string, bytes: Uint8Array, network: string) {
    const read = await reader.read(bytes, network);
    if (typeof read === 'string') {
      if (read !== 'unreadable') await limits.take('lostImages', uid);
      return refuse(codeOf[read]);
    }
    const { full, preview, width, height } = read;
    const contents = { full, preview };
    return accept({ contents, row: { width, height, voice: null }, value: { imageId, width, height } });
  }

  return {
    upload,
    locate: (uid: Uid, imageId: string, size: ImageSize) => uploads.locate(uid, 'image', imageId, size),
  };
}
export type ImagesService = ReturnType<typeof imagesService>;

/** For pictures that need a multiple of the memory. */
const maxHeavyPixels = 12_000_000;
/** Cameras and web sites write about ten. */
const maxScans = 50;

/**
 * Refuses before decoding, because a small file can declare an enormous size, or the same work thousands of times. The
 * value is what decoding would cost, in megapixels, at least one. Refusals: input/too-large, input/unsupported.
 */
function weighImage(bytes: Uint8Array): Result<{ megapixels: number }> {
  if (bytes.byteLength > limits.imageBytes) return refuse('input/too-large');
  const head = readHead(bytes);
  if (head === null || head.scans > maxScans) return refuse('input/unsupported');
  const pixels = head.width * head.height;
  if (pixels > (head.isHeavy ? maxHeavyPixels : maxPixels)) return refuse('input/too-large');
  return accept({ megapixels: Math.max(1, Math.ceil(pixels / 1_000_000)) });
}
