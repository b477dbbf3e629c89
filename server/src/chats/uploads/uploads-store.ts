/** The rows of what was uploaded for chats: pictures and recordings. */
import type { PairId, Uid } from '@tunemate/protocol';
import type { ImagesTable } from '../../storage/tables/chat-tables.ts';
import { countOf } from '../../storage/queries.ts';
import type { Selectable } from 'kysely';
import { inPages, pageSize } from '../../storage/pages.ts';
import type { Db } from '../../storage/schema.ts';

export type UploadKind = 'image' | 'voice';

/** What only one of the two has; a picture has a size. */
export type UploadRow = Pick<ImagesTable, 'width' | 'height' | 'voice'>;

/** How the row of each compares with a recording that is null. */
const isOf = { image: 'is', voice: 'is not' } as const;

/** Counts as unsent before it is decoded. */
export async function reserveUpload(
  db: Db,
  upload: Pick<ImagesTable, 'image_id' | 'pair_id' | 'uploader' | 'created_at_ms'>,
): Promise<void> {
  await db
    .insertInto('images')
    .values({ ...upload, width: 0, height: 0, bytes: 0, state: 'reserved' })
    .execute();
}

/** Counts what is about to be stored in its place. */
export async function weighUpload(db: Db, uploadId: string, bytes: number): Promise<void> {
  await db.updateTable('images').set({ bytes }).where('image_id', '=', uploadId).execute();
}

/** Marks it as stored. False when its place was freed meanwhile. */
export async function fillUpload(db: Db, uploadId: string, stored: UploadRow): Promise<boolean> {
  const filled = await db
    .updateTable('images')
    .set({ ...stored, state: 'unsent' })
    .where('image_id', '=', uploadId)
    .where('state', '=', 'reserved')
    .executeTakeFirst();
  return filled.numUpdatedRows > 0n;
}

/** The conversation of a picture or recording and, once sent, its message; null when there is none to show with this id. */
export async function placeOfUpload(db: Db, kind: UploadKind, uploadId: string) {
  const row = await db
    .selectFrom('images')
    .select(['pair_id', 'number'])
    .where('image_id', '=', uploadId)
    .where('voice', isOf[kind], null)
    .where('state', 'in', ['unsent', 'sent'])
    .executeTakeFirst();
  return row ? { pairId: row.pair_id as PairId, number: row.number } : null;
}

/** The picture or recording of a message that was taken back, while its files are still there. */
export async function uploadTakenBack(db: Db, message: { pairId: PairId; number: number }): Promise<string | null> {
  const row = await db
    .selectFrom('images')
    .select('image_id')
    .where('state', '=', 'going')
    .where('pair_id', '=', message.pairId)
    .where('number', '=', message.number)
    .executeTakeFirst();
  return row?.image_id ?? null;
}

interface Attached {
  kind: UploadKind;
  id: string;
  pairId: PairId;
  sender: Uid;
  /** Of the message. */
  number: number;
}

/** Attaches it to a message. Null unless the sender uploaded it for this chat and has not sent it. */
export async function attachUpload(db: Db, { kind, id, pairId, sender, number }: Attached): Promise<object | null> {
  const row = await db
    .updateTable('images')
    .set({ state: 'sent', number })
    .where('image_id', '=', id)
    .where('voice', isOf[kind], null)
    .where('pair_id', '=', pairId)
    .where('uploader', '=', sender)
    .where('state', '=', 'unsent')
    .returning(['width', 'height', 'voice'])
    .executeTakeFirst();
  if (!row) return null;
  return row.voice === null
    ? { imageId: id, width: row.width, height: row.height }
    : { voiceId: id, ...(JSON.parse(row.voice) as object) };
}

/** Includes what is being uploaded. */
export const countUnsent = (db: Db, uploader: Uid): Promise<number> =>
  countOf(db.selectFrom('images').where('uploader', '=', uploader).where('state', 'in', ['reserved', 'unsent']));

/** Marks for deletion what this user has left unsent the longest, if that was before; false where there is none. */
export async function giveUpOldestUnsent(db: Db, uploader: Uid, beforeMs: number): Promise<boolean> {
  const oldest = db
    .selectFrom('images')
    .select('image_id')
    .where('uploader', '=', uploader)
    .where('state', '=', 'unsent')
    .where('created_at_ms', '<=', beforeMs)
    .orderBy('created_at_ms')
    .orderBy('image_id')
    .limit(1);
  const { numUpdatedRows } = await db
    .updateTable('images')
    .set({ state: 'going' })
    .where('image_id', 'in', oldest)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** All that this user uploaded of one kind and is stored, a page at a time. */
export function uploadsOf(db: Db, kind: UploadKind, uploader: Uid): AsyncIterable<Selectable<ImagesTable>> {
  return inPages((last) =>
    db
      .selectFrom('images')
      .selectAll()
      .where('uploader', '=', uploader)
      .where('voice', isOf[kind], null)
      .where('state', 'in', ['unsent', 'sent'])
      .where('image_id', '>', last?.image_id ?? '')
      .orderBy('image_id')
      .limit(pageSize)
      .execute(),
  );
}

/** Marks for deletion what was uploaded and not sent, or reserved, before these times. */
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

/** Marks them for deletion. */
export async function giveUpUploadsOf(db: Db, pairId: PairId, people: readonly Uid[]): Promise<void> {
  await db
    .updateTable('images')
    .set({ state: 'going' })
    .where('uploader', 'in', [...people])
    .where('pair_id', '=', pairId)
    .execute();
}

/** At most `most` of those marked for deletion. What a report is about stays until that is answered. */
export async function uploadsGoing(db: Db, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('images')
    .select('image_id')
    .where('state', '=', 'going')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports')
            .select('id')
            .whereRef('upload_id', '=', 'images.image_id')
            .where('answered_at_ms', 'is', null),
        ),
      ),
    )
    .limit(most)
    .execute();
  return rows.map((row) => row.image_id);
}

export async function dropUploads(db: Db, uploadIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('images')
    .where('image_id', 'in', [...uploadIds])
    .execute();
}

/** Which of `uploadIds` have a row, in any state. */
export async function uploadsAmong(db: Db, uploadIds: readonly string[]): Promise<Set<string>> {
  if (uploadIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('images')
    .select('image_id')
    .where('image_id', 'in', [...uploadIds])
    .execute();
  return new Set(rows.map((row) => row.image_id));
}
