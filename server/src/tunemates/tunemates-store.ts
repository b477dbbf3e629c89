/**
 * Reads and writes the two capped lists (MATE-4): tunemates for video rooms, audioConnections for audio rooms.
 * Every function takes the database or transaction to use.
 */
import type { TunemateEntry } from '@tunemate/domain';
import { type RoomKind, roomKinds, type Uid } from '@tunemate/protocol';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { padded } from '../storage/padded.ts';
import { personColumns, toPerson } from '../storage/people.ts';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** Where each kind's list is stored. */
const listTables = { video: 'tunemates', audio: 'audio_connections' } as const satisfies Record<RoomKind, keyof Schema>;

/** The entries of both lists of these people, oldest first. */
export async function entriesOfPeople(db: Db, uids: readonly Uid[]): Promise<(TunemateEntry & { uid: Uid })[]> {
  const rows = await listsOf(db, uids).orderBy('position').execute();
  return rows.map((row) => ({
    uid: row.uid as Uid,
    mate: row.mate as Uid,
    kind: row.kind,
    addedAtMs: row.added_at_ms,
  }));
}

function listsOf(db: Db, uids: readonly Uid[]): PeopleQuery {
  const [video, audio] = roomKinds.map((kind) =>
    db
      .selectFrom(listTables[kind])
      .select(['uid', 'mate', 'added_at_ms', 'position', sql.lit(kind).as('kind')])
      .where('uid', 'in', padded(uids)),
  ) as [PeopleQuery, PeopleQuery];
  return video.unionAll(audio);
}
type PeopleQuery = SelectQueryBuilder<
  Schema,
  never,
  { uid: string; mate: string; added_at_ms: number; position: number; kind: RoomKind }
>;

/** The entries of both lists of these people, oldest first, and who they are, in one statement. */
export async function entriesAndPeople(db: Db, uids: readonly Uid[]) {
  const rows = await db
    .selectFrom('users')
    .leftJoin(listsOf(db, uids).as('list'), 'list.uid', 'users.uid')
    .select([...personColumns, 'deleted_at_ms', 'email_verified', 'mate', 'added_at_ms', 'kind'])
    .where('users.uid', 'in', padded(uids))
    .orderBy('position')
    .execute();
  const people = rows.filter((row) => row.deleted_at_ms === null && row.email_verified === 1);
  return {
    people: new Map(people.map((row) => [row.uid as Uid, toPerson(row)])),
    entries: rows.flatMap(({ uid, mate, kind, added_at_ms: addedAtMs }) =>
      mate === null || kind === null ? [] : [{ uid: uid as Uid, mate: mate as Uid, kind, addedAtMs: addedAtMs ?? 0 }],
    ),
  };
}

/** Puts each `mate` at the end of the list of `uid`. */
export async function append(
  db: Db,
  kind: RoomKind,
  entries: readonly { uid: Uid; mate: Uid }[],
  nowMs: number,
): Promise<void> {
  const list = sql.table(listTables[kind]);
  const rows = entries.map(
    ({ uid, mate }) => sql`
    select cast(${uid} as text), cast(${mate} as text), cast(${nowMs} as bigint), coalesce(max(position), 0) + 1
    from ${list} where uid = ${uid}`,
  );
  await sql`insert into ${list} (uid, mate, added_at_ms, position) ${sql.join(rows, sql` union all `)}`.execute(db);
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

/** The entries of both lists of one person, or those that are of `mate`. */
function bothLists(db: Db, uid: Uid, mate?: Uid) {
  const [video, audio] = roomKinds.map((kind) => {
    const list = db
      .selectFrom(listTables[kind])
      .select(['mate', 'added_at_ms', sql.lit(kind).as('kind')])
      .where('uid', '=', uid);
    return mate === undefined ? list : list.where('mate', '=', mate);
  }) as [ListQuery, ListQuery];
  return video.unionAll(audio);
}
type ListQuery = SelectQueryBuilder<Schema, never, { mate: string; added_at_ms: number; kind: RoomKind }>;

/** Every entry of both lists of one person. */
export async function entriesOf(db: Db, uid: Uid): Promise<TunemateEntry[]> {
  const rows = await bothLists(db, uid).execute();
  return rows.map((row) => ({ mate: row.mate as Uid, kind: row.kind, addedAtMs: row.added_at_ms }));
}

/** The lists of `uid` that `mate` is on. */
export async function kindsOf(db: Db, uid: Uid, mate: Uid): Promise<RoomKind[]> {
  return (await bothLists(db, uid, mate).execute()).map(({ kind }) => kind);
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
