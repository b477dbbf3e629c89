/**
 * What ties two people to each other, and what follows from it: who counts as a friend, who may write or ask, and who
 * sees whose presence. Every function takes the database or transaction to use.
 */
import { pairIdOf, type SoulmateSide } from '@tunemate/domain';
import { roomKinds, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { isThere, padded } from '../storage/queries.ts';
import { type Db, roomTables } from '../storage/schema.ts';
import { isAnswered } from '../storage/tables/chat-tables.ts';
import { isTunemate } from '../tunemates/tunemates.ts';
import { isBlockedBetween } from './blocks.ts';

/** One person and their soulmate; null for a deleted or unverified account. */
export async function soulmateSideOf(db: Db, uid: Uid): Promise<SoulmateSide | null> {
  const row = await db
    .selectFrom('users')
    .select('soulmate')
    .where('uid', '=', uid)
    .where('deleted_at_ms', 'is', null)
    .where('email_verified', '=', 1)
    .executeTakeFirst();
  return row ? { uid, soulmate: row.soulmate as Uid | null } : null;
}

/** The uid of this person's soulmate. */
export async function soulmateOf(db: Db, uid: Uid): Promise<Uid | null> {
  return (await soulmateSideOf(db, uid))?.soulmate ?? null;
}

/** `other` is on one of this person's lists, or their soulmate: may be invited, and enters a room open to friends. */
export async function isFriend(db: Db, uid: Uid, other: Uid): Promise<boolean> {
  return (await isTunemate(db, uid, other)) || (await soulmateOf(db, uid)) === other;
}

/** Either has the other on a list, or they are soulmates: then the limit for strangers does not apply. */
export async function areConnected(db: Db, a: Uid, b: Uid): Promise<boolean> {
  return (await isFriend(db, a, b)) || (await isTunemate(db, b, a));
}

/** Tunemates, and people one has a chat with, may be asked to be one's soulmate. */
export async function isAcquainted(db: Db, uid: Uid, other: Uid): Promise<boolean> {
  return (await isTunemate(db, uid, other)) || (await haveChat(db, uid, other));
}

async function haveChat(db: Db, uid: Uid, other: Uid): Promise<boolean> {
  if (uid === other) return false;
  const side = db.selectFrom('conversations').select('uid').where('uid', '=', uid);
  return await isThere(side.where('pair_id', '=', pairIdOf(uid, other)));
}

/** A row where `from` has ever written to `to`: then not all messages of their chat wait for an answer of `from`. */
export const writtenBy = (db: Db, from: Uid, to: Uid) =>
  db
    .selectFrom('conversations')
    .where('conversations.uid', '=', to)
    .where('conversations.pair_id', '=', pairIdOf(from, to))
    .where(isAnswered('conversations'));

const hasWritten = (db: Db, from: Uid, to: Uid): Promise<boolean> =>
  isThere(writtenBy(db, from, to).select('conversations.uid'));

/**
 * Whether `other` may notice that `seen` is there: by a tick, by typing, by the fetching of a link. A person without a tie
 * notices nothing until `seen` has answered.
 */
export const mayNotice = async (db: Db, other: Uid, seen: Uid): Promise<boolean> =>
  (await hasWritten(db, seen, other)) || (await areConnected(db, seen, other));

/** Whether `watcher` sees the presence of `seen` outside of rooms. */
export async function isWatching(db: Db, watcher: Uid, seen: Uid): Promise<boolean> {
  if (await isBlockedBetween(db, watcher, seen)) return false;
  return (
    (await isTunemate(db, watcher, seen)) ||
    (await hasWritten(db, seen, watcher)) ||
    (await soulmateOf(db, seen)) === watcher
  );
}

/** Of `others`, those on this person's lists, their soulmate included. */
export async function friendsAmong(db: Db, uid: Uid, others: readonly Uid[]): Promise<Set<Uid>> {
  if (others.length === 0) return new Set();
  const lists = (['tunemates', 'audio_connections'] as const).map((list) =>
    db.selectFrom(list).select('mate').where('uid', '=', uid).where('mate', 'in', padded(others)),
  );
  const [video, audio] = lists as [(typeof lists)[0], (typeof lists)[0]];
  const soulmate = db
    .selectFrom('users')
    .select((of) => of.ref('soulmate').$notNull().as('mate'))
    .where('uid', '=', uid)
    .where('soulmate', 'in', padded(others));
  const rows = await video.union(audio).union(soulmate).execute();
  return new Set(rows.map(({ mate }) => mate as Uid));
}

/**
 * Whether anything of one is on the screens of the other: a list, a chat, a live room. What a person does reaches
 * no other stream, so that a stranger can't fill it.
 */
export async function haveTie(db: Db, a: Uid, b: Uid): Promise<boolean> {
  return (await areConnected(db, a, b)) || (await haveChat(db, a, b)) || (await shareRoom(db, a, b));
}

async function shareRoom(db: Db, a: Uid, b: Uid): Promise<boolean> {
  for (const kind of roomKinds) {
    const { rooms, participants } = roomTables[kind];
    const { rows } = await sql`
      select 1 from ${sql.table(participants)} as one
      inner join ${sql.table(participants)} as other on other.room_id = one.room_id and other.uid = ${b}
      inner join ${sql.table(rooms)} as room on room.room_id = one.room_id and room.is_active = 1
      where one.uid = ${a} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}
