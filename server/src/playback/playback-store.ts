/** Reads and writes a room's playback document; one row a room, per kind. */
import { playbackDocument, type PlaybackDocument, type RoomId, type RoomKind } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** The spec's collections: tunemateRooms/{code} and audiorooms/{code}/audioRoom/state. */
const playbackTables = { video: 'tunemate_rooms', audio: 'audio_room_state' } as const satisfies Record<
  RoomKind,
  string
>;

export async function readPlayback(db: Db, kind: RoomKind, roomId: RoomId): Promise<PlaybackDocument | null> {
  const row = await db
    .selectFrom(playbackTables[kind])
    .select('document')
    .where('room_id', '=', roomId)
    .executeTakeFirst();
  return row ? playbackDocument.parse(JSON.parse(row.document)) : null;
}

export async function savePlayback(db: Db, roomId: RoomId, document: PlaybackDocument): Promise<void> {
  const values = { revision: document.revision, document: JSON.stringify(document) };
  await db
    .insertInto(playbackTables[document.kind])
    .values({ room_id: roomId, ...values })
    .onConflict((conflict) => conflict.column('room_id').doUpdateSet(values))
    .execute();
}
