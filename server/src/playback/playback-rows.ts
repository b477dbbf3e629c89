/** The rows of what a room plays, as every press reads and writes them: queries that are built once. */
import type { RoomId } from '@tunemate/protocol';
import { sql } from 'kysely';
import { longestRoundTripQuery, written } from '../presence/connections-store.ts';
import { isHeardQuery } from '../presence/hearing-store.ts';
import { builtByName } from '../storage/queries.ts';
import { type Db, forEachKind, type RoomRef, roomTables } from '../storage/schema.ts';

const readings = forEachKind((kind) => {
  // One statement, so that the document and the tracks it names are of one moment.
  const reading = (withRoundTrip: boolean) =>
    builtByName((db, { roomId, place }: { roomId: RoomId; place: string }) =>
      db
        .selectFrom(roomTables[kind].playback)
        .select([
          sql<number>`-1`.as('item'),
          'document as json',
          isHeardQuery(place).as('is_heard'),
          (withRoundTrip ? longestRoundTripQuery(db, place) : sql<number | null>`null`).as('round_trip_ms'),
        ])
        .where('room_id', '=', roomId)
        .unionAll(
          db
            .selectFrom('queue_items')
            .select(['item', 'track as json', sql`null`.as('is_heard'), sql<number | null>`null`.as('round_trip_ms')])
            .where('room_id', '=', roomId),
        ),
    );
  return { bare: reading(false), withRoundTrip: reading(true) };
});

/** The document, as item -1, and the tracks of the queue. */
export const rowsOfPlayback = (db: Db, room: RoomRef, { withRoundTrip }: { withRoundTrip: boolean }) =>
  readings[room.kind][withRoundTrip ? 'withRoundTrip' : 'bare'](db, { roomId: room.roomId, place: written(room) });

interface Document {
  roomId: RoomId;
  revision: number;
  document: string;
  endsAtMs: number | null;
}

const saving = forEachKind((kind) =>
  builtByName((db, { roomId, revision, document, endsAtMs }: Document) => {
    const values = { revision, document, ends_at_ms: endsAtMs };
    return db
      .insertInto(roomTables[kind].playback)
      .values({ room_id: roomId, ...values })
      .onConflict((conflict) => conflict.column('room_id').doUpdateSet(values));
  }),
);

export async function saveDocument(db: Db, { kind, roomId }: RoomRef, values: Omit<Document, 'roomId'>): Promise<void> {
  await saving[kind](db, { roomId, ...values });
}
