/**
 * Reads and writes who hosts a room and whom the host has asked to take over. Every function takes the transaction to
 * use.
 */
import type { HandOver, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { type RoomRef, roomTables, type Schema } from '../../storage/schema.ts';

type Db = Kysely<Schema>;

const noOffer = { offered_to: null, offered_until_ms: null, leaves_when_taken: 0 };

export async function saveOffer(db: Db, { kind, roomId }: RoomRef, offer: HandOver | null): Promise<void> {
  const values = offer && {
    offered_to: offer.to,
    offered_until_ms: offer.untilMs,
    leaves_when_taken: offer.leaves ? 1 : 0,
  };
  await db
    .updateTable(roomTables[kind].rooms)
    .set(values ?? noOffer)
    .where('room_id', '=', roomId)
    .execute();
}

/** Withdraws an offer to this person; false when there is none. */
export async function forgetOfferTo(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(roomTables[kind].rooms)
    .set(noOffer)
    .where('room_id', '=', roomId)
    .where('offered_to', '=', uid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The participants whom this person has blocked. */
export async function participantsBlockedBy(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<Uid[]> {
  const rows = await db
    .selectFrom(roomTables[kind].participants)
    .select('uid')
    .where('room_id', '=', roomId)
    .where('uid', 'in', (inner) => inner.selectFrom('blocks').select('blocked').where('blocks.uid', '=', uid))
    .orderBy('uid')
    .execute();
  return rows.map((row) => row.uid as Uid);
}

export async function saveHost(
  db: Db,
  { kind, roomId }: RoomRef,
  host: Uid,
  hostAwaySinceMs: number | null,
): Promise<void> {
  await db
    .updateTable(roomTables[kind].rooms)
    .set({ host, host_away_since_ms: hostAwaySinceMs, is_host_warned: 0, ...noOffer })
    .where('room_id', '=', roomId)
    .execute();
}
