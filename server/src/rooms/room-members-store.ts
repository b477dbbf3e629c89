/**
 * Reads which rooms several people are members of, and what their members see of them, in one statement each.
 */
import type { RoomId, RoomKind, Uid } from '@tunemate/protocol';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../storage/schema.ts';

interface MemberOf {
  kind: RoomKind;
  roomId: RoomId;
}

/** The live rooms of both kinds of which each of these people is a member; people without any are absent. */
export async function liveRoomsOfPeople(db: Kysely<Schema>, uids: readonly Uid[]): Promise<Map<Uid, MemberOf[]>> {
  const rooms = new Map<Uid, MemberOf[]>();
  if (uids.length === 0) return rooms;
  const video = db
    .selectFrom('room_participants as seat')
    .innerJoin('rooms as room', 'room.room_id', 'seat.room_id')
    .select(['seat.uid', 'seat.room_id', sql<RoomKind>`'video'`.as('kind')])
    .where('seat.uid', 'in', uids)
    .where('room.is_active', '=', 1);
  const audio = db
    .selectFrom('audioroom_participants as seat')
    .innerJoin('audiorooms as room', 'room.room_id', 'seat.room_id')
    .select(['seat.uid', 'seat.room_id', sql<RoomKind>`'audio'`.as('kind')])
    .where('seat.uid', 'in', uids)
    .where('room.is_active', '=', 1);
  for (const row of await video.unionAll(audio).execute()) {
    const uid = row.uid as Uid;
    rooms.set(uid, [...(rooms.get(uid) ?? []), { kind: row.kind, roomId: row.room_id as RoomId }]);
  }
  return rooms;
}
