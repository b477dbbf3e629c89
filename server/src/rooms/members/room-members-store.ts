/**
 * Reads which rooms several people are members of, and what their members see of them, in one statement each.
 */
import { limits, type RoomId, type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';
import { type Kysely, sql } from 'kysely';
import { type RoomRef, roomTables, type Schema } from '../../storage/schema.ts';
import { padded } from '../../storage/queries.ts';

interface MemberOf extends RoomRef {
  /** Presence is not told there. */
  isLarge: boolean;
  /** Whether votes of those present skip a track. */
  majoritySkips: boolean;
}

interface MemberRow {
  uid: string;
  room_id: string;
  kind: RoomKind;
  majority_skips: number;
  is_large: number | null;
}

/** The live rooms of both kinds of which each of these people is a member; people without any are absent. */
export async function liveRoomsOfPeople(db: Kysely<Schema>, uids: readonly Uid[]): Promise<Map<Uid, MemberOf[]>> {
  const rooms = new Map<Uid, MemberOf[]>();
  if (uids.length === 0) return rooms;
  const members = roomKinds.map((kind) => {
    const { rooms: table, participants } = roomTables[kind];
    return sql`
      select member.uid, member.room_id, cast(${kind} as text) as kind, room.majority_skips, (
        select 1 from ${sql.table(participants)} as other
        where other.room_id = member.room_id limit 1 offset ${sql.lit(limits.namedPeople)}
      ) as is_large
      from ${sql.table(participants)} as member
      inner join ${sql.table(table)} as room on room.room_id = member.room_id
      where member.uid in (${sql.join(padded(uids))}) and room.is_active = 1`;
  });
  const { rows } = await sql<MemberRow>`${sql.join(members, sql` union all `)}`.execute(db);
  for (const row of rows) {
    const uid = row.uid as Uid;
    const { kind, room_id: roomId } = row;
    const room = {
      kind,
      roomId: roomId as RoomId,
      isLarge: row.is_large === 1,
      majoritySkips: row.majority_skips === 1,
    };
    rooms.set(uid, [...(rooms.get(uid) ?? []), room]);
  }
  return rooms;
}
