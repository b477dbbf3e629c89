/**
 * Images of private chats: uploaded before they are sent, readable only by the two users of the chat.
 */
import { pairIdOf, readPairId } from '@tunemate/domain';
import { limits, type PairId, type PrivateMessage, type Result, type Uid, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Limits } from '../../access/limits.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { inPages, pageSize } from '../../storage/pages.ts';
import { personOf } from '../../storage/people.ts';
import type { StreamRecord } from '../../storage/record.ts';
import type { ImagesTable } from '../../storage/chat-tables.ts';
import type { Schema } from '../../storage/schema.ts';
import { accept, type Clock, type Ids, type Log, refuse } from '../../system/ports.ts';
import type { Keep } from '../kept-bytes.ts';
import type { ImageFiles, ImageSize } from './image-files.ts';
import { maxPixels, readHead } from './image-header.ts';
import type { ImageFault, ImageReader } from './image-reader.ts';
import type { Image } from './image-worker.ts';

/** Uploaded and not yet sent, per user; more would use uploads as storage. */
const unsentImages = 10;
const minuteMs = 60 * 1000;
const unsentKeptMs = 24 * 60 * minuteMs;
/** Far longer than decoding takes: after it the process that reserved the place must have ended. */
const reservedKeptMs = 15 * minuteMs;
/** An older file without a row was left by a process that ended between the two. */
const orphanedFileMs = 60 * minuteMs;
const deletedPerRound = 500;

interface ImagesDeps {
  record: StreamRecord;
  files: ImageFiles;
  reader: Pick<ImageReader, 'read'>;
  limits: Limits;
  /** Counts what is stored for good; by default without a bound. */
  keep?: Keep;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Both files. */
const bytesOf = ({ full, preview }: Image): number => full.byteLength + preview.byteLength;

type ChatImage = NonNullable<PrivateMessage['image']>;

const codeOf = {
  unreadable: 'input/unsupported',
  'too-costly': 'input/too-large',
  'broke-decoder': 'input/unsupported',
} as const satisfies Record<ImageFault, string>;

export function imagesService(deps: ImagesDeps) {
  const { record, files, reader, limits, keep: mayStore, clock, ids, log } = deps;

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
    return place.ok ? await fill(uid, place.value, bytes, network) : place;
  }

  /** Counted before decoding, and also when that fails: the work is done either way. */
  async function payFor(uid: Uid, megapixels: number): Promise<Result<unknown>> {
    const hasBehaved = await limits.peek('lostImages', uid);
    return hasBehaved.ok ? await limits.take('megapixels', uid, megapixels) : hasBehaved;
  }

  /** Decodes the picture into its reserved place; on failure frees the place. */
  async function fill(uid: Uid, imageId: string, bytes: Uint8Array, network: string): Promise<Result<ChatImage>> {
    let isKept = false;
    try {
      const read = await reader.read(bytes, network);
      if (typeof read === 'string') {
        if (read !== 'unreadable') await limits.take('lostImages', uid);
        return refuse(codeOf[read]);
      }
      const stored = await mayStore?.(record.db, uid, bytesOf(read));
      if (stored?.ok === false) return stored;
      isKept = await keep(imageId, read);
      const { width, height } = read;
      return isKept ? accept({ imageId, width, height }) : refuse('server/unavailable');
    } finally {
      if (!isKept) await forget({ record, files }, [imageId]);
    }
  }

  async function keep(imageId: string, image: Image): Promise<boolean> {
    const { width, height, full } = image;
    await files.save(imageId, image);
    log.debug({ imageId, bytes: full.byteLength }, 'chat.image-uploaded');
    return await fillImage(record.db, imageId, { width, height, bytes: bytesOf(image) });
  }

  /** The path of the file, for the two users of the chat; others get the same answer as for an unknown image. */
  async function locate(uid: Uid, imageId: string, size: ImageSize): Promise<Result<{ path: string; type: string }>> {
    // PostgreSQL fails on a text with NUL, which an address can name.
    const pairId = imageId.includes('\0') ? null : await pairOfImage(record.db, imageId);
    if (pairId === null || !readPairId(pairId, uid)) return refuse('access/not-found');
    return accept({ path: files.pathOf(imageId, size), type: 'image/webp' });
  }

  return {
    upload,
    locate,
    sweep: () => sweep({ record, files, clock }),
    removeGoing: () => removeGoing({ record, files }),
  };
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
  await removeGoing({ record, files });
  for await (const imageIds of files.untouchedSince(nowMs - orphanedFileMs)) {
    const known = await imagesAmong(record.db, imageIds);
    await files.remove(imageIds.filter((imageId) => !known.has(imageId)));
  }
}

/** Deletes what was given up: pictures of deleted messages are soon not on the disk any more. Runs once a minute. */
async function removeGoing(deps: Pick<ImagesDeps, 'record' | 'files'>): Promise<void> {
  for (;;) {
    const going = await imagesGoing(deps.record.db, deletedPerRound);
    if (going.length === 0) return;
    await forget(deps, going);
  }
}

type Db = Kysely<Schema>;

/** Counts as an unsent image of the user before the picture is decoded. */
async function reserveImage(
  db: Db,
  image: Pick<ImagesTable, 'image_id' | 'pair_id' | 'uploader' | 'created_at_ms'>,
): Promise<void> {
  await db
    .insertInto('images')
    .values({ ...image, width: 0, height: 0, bytes: 0, state: 'reserved' })
    .execute();
}

/** Marks the picture as stored. False when its place was freed meanwhile. */
async function fillImage(
  db: Db,
  imageId: string,
  image: Pick<ImagesTable, 'width' | 'height' | 'bytes'>,
): Promise<boolean> {
  const filled = await db
    .updateTable('images')
    .set({ ...image, state: 'unsent' })
    .where('image_id', '=', imageId)
    .where('state', '=', 'reserved')
    .executeTakeFirst();
  return filled.numUpdatedRows > 0n;
}

/** The conversation of an image; null when there is none to show with this id. */
async function pairOfImage(db: Db, imageId: string): Promise<PairId | null> {
  const row = await db
    .selectFrom('images')
    .select('pair_id')
    .where('image_id', '=', imageId)
    .where('state', 'in', ['unsent', 'sent'])
    .executeTakeFirst();
  return row ? (row.pair_id as PairId) : null;
}

/** Attaches an image to a message. Null unless the sender uploaded it for this chat and has not sent it. */
export async function attachImage(
  db: Db,
  imageId: string,
  pairId: PairId,
  sender: Uid,
): Promise<PrivateMessage['image']> {
  const row = await db
    .updateTable('images')
    .set({ state: 'sent' })
    .where('image_id', '=', imageId)
    .where('pair_id', '=', pairId)
    .where('uploader', '=', sender)
    .where('state', '=', 'unsent')
    .returning(['width', 'height'])
    .executeTakeFirst();
  return row ? { imageId, width: row.width, height: row.height } : null;
}

/** Includes images that are being uploaded. */
async function countUnsent(db: Db, uploader: Uid): Promise<number> {
  const row = await db
    .selectFrom('images')
    .select((inner) => inner.fn.countAll().as('count'))
    .where('uploader', '=', uploader)
    .where('state', 'in', ['reserved', 'unsent'])
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** All stored images that this user uploaded, a page at a time. */
export function imagesOf(db: Db, uploader: Uid): AsyncIterable<ImagesTable> {
  return inPages((last) =>
    db
      .selectFrom('images')
      .selectAll()
      .where('uploader', '=', uploader)
      .where('state', 'in', ['unsent', 'sent'])
      .where('image_id', '>', last?.image_id ?? '')
      .orderBy('image_id')
      .limit(pageSize)
      .execute(),
  );
}

/** Marks for deletion the unsent images that were uploaded, or reserved, before these times. */
async function giveUpUnsent(db: Db, before: { unsentMs: number; reservedMs: number }): Promise<void> {
  await db
    .updateTable('images')
    .set({ state: 'going' })
    .where((either) =>
      either.or([
        either('state', '=', 'unsent').and('created_at_ms', '<', before.unsentMs),
        either('state', '=', 'reserved').and('created_at_ms', '<', before.reservedMs),
      ]),
    )
    .execute();
}

/** Marks the image of a deleted message for deletion. */
export async function giveUpImage(db: Db, imageId: string): Promise<void> {
  await db.updateTable('images').set({ state: 'going' }).where('image_id', '=', imageId).execute();
}

/** Marks them for deletion. */
export async function giveUpImagesOf(db: Db, pairId: PairId, people: readonly Uid[]): Promise<void> {
  await db
    .updateTable('images')
    .set({ state: 'going' })
    .where('uploader', 'in', [...people])
    .where('pair_id', '=', pairId)
    .execute();
}

/** At most `most` of the images marked for deletion. */
async function imagesGoing(db: Db, most: number): Promise<string[]> {
  const rows = await db.selectFrom('images').select('image_id').where('state', '=', 'going').limit(most).execute();
  return rows.map((row) => row.image_id);
}

async function dropImages(db: Db, imageIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('images')
    .where('image_id', 'in', [...imageIds])
    .execute();
}

/** Which of `imageIds` have a row, in any state. */
async function imagesAmong(db: Db, imageIds: readonly string[]): Promise<Set<string>> {
  if (imageIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('images')
    .select('image_id')
    .where('image_id', 'in', [...imageIds])
    .execute();
  return new Set(rows.map((row) => row.image_id));
}

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
