/**
 * Reads and writes the two capped lists (MATE-4): tunemates for video rooms, audioConnections for audio rooms.
 * Every function takes the database or transaction to use.
 */
import type { TunemateEntry } from '@tunemate/domain';
import { type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** Where each kind's list is stored. */
const listTables = { video: 'tunemates', audio: 'audio_connections' } as const satisfies Record<RoomKind, keyof Schema>;

/** One person's list of one kind, oldest first. */
export async function listOfKind(db: Db, kind: RoomKind, uid: Uid): Promise<Uid[]> {
  const rows = await db
    .selectFrom(listTables[kind])
    .select('mate')
    .where('uid', '=', uid)
    .orderBy('position')
    .execute();
  return rows.map(({ mate }) => mate as Uid);
}

/** Puts `mate` at the end of the list. */
export async function append(db: Db, kind: RoomKind, uid: Uid, mate: Uid, nowMs: number): Promise<void> {
  const table = listTables[kind];
  const last = await db
    .selectFrom(table)
    .select('position')
    .where('uid', '=', uid)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  await db
    .insertInto(table)
    .values({ uid, mate, added_at_ms: nowMs, position: (last?.position ?? 0) + 1 })
    .execute();
}

/** Removes `mates` from the list. */
export async function takeOut(db: Db, kind: RoomKind, uid: Uid, mates: readonly Uid[]): Promise<void> {
  if (mates.length === 0) return;
  await db
    .deleteFrom(listTables[kind])
    .where('uid', '=', uid)
    .where('mate', 'in', [...mates])
    .execute();
}

/** Every entry of both lists of one person. */
export async function entriesOf(db: Db, uid: Uid): Promise<TunemateEntry[]> {
  const entries: TunemateEntry[] = [];
  for (const kind of roomKinds) {
    const rows = await db.selectFrom(listTables[kind]).select(['mate', 'added_at_ms']).where('uid', '=', uid).execute();
    entries.push(...rows.map((row) => ({ mate: row.mate as Uid, kind, addedAtMs: row.added_at_ms })));
  }
  return entries;
}

/** The lists of `uid` that `mate` is on. */
export async function kindsOf(db: Db, uid: Uid, mate: Uid): Promise<RoomKind[]> {
  const kinds: RoomKind[] = [];
  for (const kind of roomKinds) {
    const row = await db
      .selectFrom(listTables[kind])
      .select('mate')
      .where('uid', '=', uid)
      .where('mate', '=', mate)
      .executeTakeFirst();
    if (row) kinds.push(kind);
  }
  return kinds;
}

/** True when `mate` is on one of `uid`'s lists. One-sided: the other may have dropped them at the cap. */
export async function isTunemate(db: Db, uid: Uid, mate: Uid): Promise<boolean> {
  return (await kindsOf(db, uid, mate)).length > 0;
}

/** The people who have `uid` on one of their lists: they may see uid's presence. */
export async function matesOf(db: Db, uid: Uid): Promise<Uid[]> {
  const mates = new Set<Uid>();
  for (const kind of roomKinds) {
    const rows = await db.selectFrom(listTables[kind]).select('uid').where('mate', '=', uid).execute();
    for (const row of rows) mates.add(row.uid as Uid);
  }
  return [...mates];
}
