/**
 * Reads and writes who was invited to which live room. Every function takes the database or transaction to use.
 */
import type { RoomId, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.ts';

type Db = Kysely<Schema>;

/** An invitation by a guest keeps an earlier one by the host. */
export async function saveInvitation(db: Db, roomId: RoomId, uid: Uid, byHostAtMs: number | null): Promise<void> {
  await db
    .insertInto('room_invitations')
    .values({ room_id: roomId, uid, by_host_at_ms: byHostAtMs })
    .onConflict((conflict) => {
      const same = conflict.columns(['room_id', 'uid']);
      return byHostAtMs === null ? same.doNothing() : same.doUpdateSet({ by_host_at_ms: byHostAtMs });
    })
    .execute();
}

/** Everybody who was invited to the room. */
export async function invitedTo(db: Db, roomId: RoomId): Promise<Uid[]> {
  const rows = await db.selectFrom('room_invitations').select('uid').where('room_id', '=', roomId).execute();
  return rows.map(({ uid }) => uid as Uid);
}

export async function forgetInvitation(db: Db, roomId: RoomId, uid: Uid): Promise<void> {
  await db.deleteFrom('room_invitations').where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

export async function forgetInvitationsTo(db: Db, rooms: readonly RoomId[]): Promise<void> {
  await db
    .deleteFrom('room_invitations')
    .where('room_id', 'in', [...rooms])
    .execute();
}

/** For a deleted account. */
export async function forgetInvitationsOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('room_invitations').where('uid', '=', uid).execute();
}
