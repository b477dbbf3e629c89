/** The votes to skip what a room plays: each person has one, until the track changes. */
import type { RoomId, Uid } from '@tunemate/protocol';
import type { Db } from '../storage/schema.ts';

/** Everybody who votes, in the room or not. */
export async function skipVotesIn(db: Db, roomId: RoomId): Promise<Uid[]> {
  const rows = await db.selectFrom('skip_votes').select('uid').where('room_id', '=', roomId).orderBy('uid').execute();
  return rows.map(({ uid }) => uid as Uid);
}

export async function saveSkipVote(db: Db, roomId: RoomId, uid: Uid, isOn: boolean): Promise<void> {
  if (isOn) await db.insertInto('skip_votes').values({ room_id: roomId, uid }).execute();
  else await db.deleteFrom('skip_votes').where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

/** Answers whether there were any. */
export async function deleteSkipVotes(db: Db, roomId: RoomId): Promise<boolean> {
  const deleted = await db.deleteFrom('skip_votes').where('room_id', '=', roomId).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** For a deleted account. */
export async function deleteSkipVotesOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('skip_votes').where('uid', '=', uid).execute();
}
