/**
 * Reads which live rooms say something else about who is in them than the connections do, as a stop between the two
 * writes leaves it. It does not know what follows from that.
 */
import { type RoomId, type RoomKind, roomKinds } from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';

/**
 * Where somebody counts as gone who is there, and where nobody counts as gone though there is not even a connection in
 * its grace period: after a restart those inside are on their way back. A room that was never entered has no host away.
 */
function contradictedOf(kind: RoomKind): RawBuilder<unknown> {
  const inside = sql`select 1 from connections where room = ${`${kind}:`} || live.room_id`;
  const ofHost = sql`and uid = live.host`;
  const isOpen = sql`and grace_until_ms is null`;
  return sql`
    select cast(${kind} as text) as kind, live.room_id from ${sql.table(roomTables[kind].rooms)} as live
    where live.is_active = 1 and (
      live.empty_since_ms is null and not exists (${inside} ${ofHost})
        and (live.host_away_since_ms is null or not exists (${inside}))
      or live.host_away_since_ms is not null and exists (${inside} ${ofHost} ${isOpen})
      or live.empty_since_ms is not null and exists (${inside} ${isOpen})
    )`;
}

/** One statement for both kinds, whose every look at the connections is one at an index. */
export async function contradictedRooms(db: Db): Promise<RoomRef[]> {
  const { rows } = await sql<{ kind: RoomKind; room_id: string }>`
    ${sql.join(roomKinds.map(contradictedOf), sql` union all `)}`.execute(db);
  return rows.map(({ kind, room_id: roomId }) => ({ kind, roomId: roomId as RoomId }));
}
