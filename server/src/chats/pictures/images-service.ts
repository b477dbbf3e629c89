/**
 * Images of private chats: uploaded before they are sent, readable only by the two people of the chat.
 */
import { pairIdOf, readPairId } from '@tunemate/domain';
import { userStream, type PrivateMessage, type Uid, type Result } from '@tunemate/protocol';
import type { Limits } from '../../access/limits.ts';
import { accept, type Clock, type Ids, type Log, refuse } from '../../system/ports.ts';
import { personOf } from '../../storage/people.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import type { ImageFiles, ImageSize } from './image-files.ts';
import {
  countUnsent,
  dropImages,
  fillImage,
  giveUpUnsent,
  imagesAmong,
  imagesGoing,
  pairOfImage,
  reserveImage,
} from './images-store.ts';
import { weighImage } from './image-limits.ts';
import type { ImageFault, ImageReader } from './image-reader.ts';
import type { Image } from './image-decoding.ts';

/** Uploaded and not yet sent, for each person; more would use uploads as storage. */
const unsentImages = 10;
const minuteMs = 60 * 1000;
/** An upload that was never sent is deleted after a day. */
const unsentKeptMs = 24 * 60 * minuteMs;
/** Far longer than decoding takes: the process that reserved the place has ended. */
const reservedKeptMs = 15 * minuteMs;
/** A file without a row is older than this only when a process ended between the two. */
const orphanedFileMs = 60 * minuteMs;
const goingAtOnce = 500;

export interface ImagesDeps {
  record: StreamRecord;
  files: ImageFiles;
  reader: Pick<ImageReader, 'read'>;
  limits: Limits;
  clock: Clock;
  ids: Ids;
  log: Log;
}

type ChatImage = NonNullable<PrivateMessage['image']>;

const codeOf = {
  unreadable: 'input/unsupported',
  'too-costly': 'input/too-large',
  'broke-decoder': 'input/unsupported',
} as const satisfies Record<ImageFault, string>;

export function imagesService({ record, files, reader, limits, clock, ids, log }: ImagesDeps) {
  /** Stores a picture for the chat with `other`; a message then refers to it by the answer's `imageId`. */
  async function upload(uid: Uid, other: Uid, bytes: Uint8Array): Promise<Result<ChatImage>> {
    if (uid === other) return refuse('input/invalid');
    const weight = weighImage(bytes);
    if (weight.ok) {
      const mayRead = await payFor(uid, weight.value.megapixels);
      if (!mayRead.ok) return mayRead;
    }
    const place = await record.write([userStream(uid)], async ({ db, nowMs }): Promise<Result<string>> => {
      if (!(await personOf(db, other))) return refuse('access/not-found');
      if (await isBlockedBetween(db, uid, other)) return refuse('access/forbidden');
      if (!weight.ok) return weight;
      if ((await countUnsent(db, uid)) >= unsentImages) return refuse('limit/too-many');
      const imageId = ids.newId();
      const image = { image_id: imageId, pair_id: pairIdOf(uid, other), uploader: uid, created_at_ms: nowMs };
      await reserveImage(db, image);
      return accept(imageId);
    });
    return place.ok ? await fill(uid, place.value, bytes) : place;
  }

  /** Counted before decoding, and also when that fails: the work is done either way. */
  async function payFor(uid: Uid, megapixels: number): Promise<Result<unknown>> {
    const hasBehaved = await limits.peek('lostImages', uid);
    return hasBehaved.ok ? await limits.take('megapixels', uid, megapixels) : hasBehaved;
  }

  /** Decodes the picture into its reserved place, or gives the place up. */
  async function fill(uid: Uid, imageId: string, bytes: Uint8Array): Promise<Result<ChatImage>> {
    let isKept = false;
    try {
      const read = await reader.read(bytes);
      if (typeof read === 'string') {
        if (read !== 'unreadable') await limits.take('lostImages', uid);
        return refuse(codeOf[read]);
      }
      isKept = await keep(imageId, read);
      const { width, height } = read;
      return isKept ? accept({ imageId, width, height }) : refuse('server/unavailable');
    } finally {
      if (!isKept) await forget({ record, files }, [imageId]);
    }
  }

  async function keep(imageId: string, { width, height, full, preview }: Image): Promise<boolean> {
    await files.save(imageId, { width, height, full, preview });
    log.debug({ imageId, bytes: full.byteLength }, 'chat.image-uploaded');
    return await fillImage(record.db, imageId, { width, height, bytes: full.byteLength });
  }

  /** The path of the file, for the two people of the chat; others get the same answer as for an unknown image. */
  async function locate(uid: Uid, imageId: string, size: ImageSize): Promise<Result<{ path: string; type: string }>> {
    // PostgreSQL fails on a text with NUL, which an address can name.
    const pairId = imageId.includes('\0') ? null : await pairOfImage(record.db, imageId);
    if (pairId === null || !readPairId(pairId, uid)) return refuse('access/not-found');
    return accept({ path: files.pathOf(imageId, size), type: 'image/webp' });
  }

  return { upload, locate, sweep: () => sweep({ record, files, clock }) };
}
export type ImagesService = ReturnType<typeof imagesService>;

/** Removes the files first: after a crash in between the row is still there, so the image is found again. */
async function forget({ record, files }: Pick<ImagesDeps, 'record' | 'files'>, imageIds: readonly string[]) {
  await files.remove(imageIds);
  await dropImages(record.db, imageIds);
}

/** Deletes images that were uploaded and never sent, and files that belong to no image. Runs once an hour. */
async function sweep({ record, files, clock }: Pick<ImagesDeps, 'record' | 'files' | 'clock'>): Promise<void> {
  const nowMs = clock.now();
  await giveUpUnsent(record.db, { unsentMs: nowMs - unsentKeptMs, reservedMs: nowMs - reservedKeptMs });
  for (;;) {
    const going = await imagesGoing(record.db, goingAtOnce);
    if (going.length === 0) break;
    await forget({ record, files }, going);
  }
  for await (const imageIds of files.untouchedSince(nowMs - orphanedFileMs)) {
    const known = await imagesAmong(record.db, imageIds);
    await files.remove(imageIds.filter((imageId) => !known.has(imageId)));
  }
}
