/**
 * Reads and writes what is known of images sent in private chats. The pictures themselves are files.
 * Every function takes the database or transaction to use.
 */
import type { PairId, PrivateMessage, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { ImagesTable, Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

export async function insertImage(db: Db, image: Omit<ImagesTable, 'attached'>): Promise<void> {
  await db.insertInto('images').values(image).execute();
}

/** The conversation an image belongs to; null when there is none of this id. */
export async function pairOfImage(db: Db, imageId: string): Promise<PairId | null> {
  const row = await db.selectFrom('images').select('pair_id').where('image_id', '=', imageId).executeTakeFirst();
  return row ? (row.pair_id as PairId) : null;
}

/** Gives an image to the message that is being sent. Null unless the sender uploaded it for this chat, unsent so far. */
export async function attachImage(
  db: Db,
  imageId: string,
  pairId: PairId,
  sender: Uid,
): Promise<PrivateMessage['image']> {
  const row = await db
    .updateTable('images')
    .set({ attached: 1 })
    .where('image_id', '=', imageId)
    .where('pair_id', '=', pairId)
    .where('uploader', '=', sender)
    .where('attached', '=', 0)
    .returning(['width', 'height'])
    .executeTakeFirst();
  return row ? { imageId, width: row.width, height: row.height } : null;
}

/** How many images this person has uploaded and not sent. */
export async function countUnsent(db: Db, uploader: Uid): Promise<number> {
  const row = await db
    .selectFrom('images')
    .select((inner) => inner.fn.countAll().as('count'))
    .where('uploader', '=', uploader)
    .where('attached', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Forgets images uploaded before `beforeMs` and never sent; answers their ids. */
export async function forgetUnsent(db: Db, beforeMs: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('images')
    .where('attached', '=', 0)
    .where('created_at_ms', '<', beforeMs)
    .returning('image_id')
    .execute();
  return rows.map((row) => row.image_id);
}
