/**
 * Reads and writes the rows of images in private chats. The pictures themselves are files.
 * Every function takes the database or transaction to use.
 */
import type { PairId, PrivateMessage, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { inPages, pageSize } from '../../storage/pages.ts';
import type { ImagesTable, Schema } from '../../storage/schema.ts';

type Db = Kysely<Schema>;

/** Reserves a place among the person's unsent images, for a picture that is still to be decoded. */
export async function reserveImage(
  db: Db,
  image: Pick<ImagesTable, 'image_id' | 'pair_id' | 'uploader' | 'created_at_ms'>,
): Promise<void> {
  await db
    .insertInto('images')
    .values({ ...image, width: 0, height: 0, bytes: 0, state: 'reserved' })
    .execute();
}

/** Marks the picture as stored. False when its place was given up meanwhile. */
export async function fillImage(
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

/** The conversation of an image; null when no image with this id may be shown. */
export async function pairOfImage(db: Db, imageId: string): Promise<PairId | null> {
  const row = await db
    .selectFrom('images')
    .select('pair_id')
    .where('image_id', '=', imageId)
    .where('state', 'in', ['unsent', 'sent'])
    .executeTakeFirst();
  return row ? (row.pair_id as PairId) : null;
}

/**
 * Gives an image to the message that is being sent. Null unless the sender uploaded it for this chat, unsent so far.
 */
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

/** How many images this person has uploaded, or is uploading, and has not sent. */
export async function countUnsent(db: Db, uploader: Uid): Promise<number> {
  const row = await db
    .selectFrom('images')
    .select((inner) => inner.fn.countAll().as('count'))
    .where('uploader', '=', uploader)
    .where('state', 'in', ['reserved', 'unsent'])
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** All stored images that this person uploaded, a page at a time. */
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

/** Marks for deletion the images that were uploaded, or reserved, before these times and never sent. */
export async function giveUpUnsent(db: Db, before: { unsentMs: number; reservedMs: number }): Promise<void> {
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

/** Marks for deletion all images of a conversation. */
export async function giveUpImagesOf(db: Db, pairId: PairId, people: readonly Uid[]): Promise<void> {
  await db
    .updateTable('images')
    .set({ state: 'going' })
    .where('uploader', 'in', [...people])
    .where('pair_id', '=', pairId)
    .execute();
}

/** Some of the images marked for deletion. */
export async function imagesGoing(db: Db, most: number): Promise<string[]> {
  const rows = await db.selectFrom('images').select('image_id').where('state', '=', 'going').limit(most).execute();
  return rows.map((row) => row.image_id);
}

export async function dropImages(db: Db, imageIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('images')
    .where('image_id', 'in', [...imageIds])
    .execute();
}

/** Those of `imageIds` that have a row, whatever its state. */
export async function imagesAmong(db: Db, imageIds: readonly string[]): Promise<Set<string>> {
  if (imageIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('images')
    .select('image_id')
    .where('image_id', 'in', [...imageIds])
    .execute();
  return new Set(rows.map((row) => row.image_id));
}
