/**
 * The two capped lists of each person: tunemates of video rooms, `audioConnections` of audio rooms. Each person whose
 * list changes is notified on their own stream, in the same transaction.
 */
import { addToCappedList, mergeLists, type TunemateEntry } from '@tunemate/domain';
import { type RoomKind, roomKinds, type Tunemate, type Uid, userStream } from '@tunemate/protocol';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Handlers } from '../access/subjects.ts';
import { padded } from '../storage/queries.ts';
import { peopleOf, personColumns, toPerson } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { accept, refuse } from '../system/ports.ts';

export function tunematesService({ record }: { record: StreamRecord }) {
  return {
    handlers: {
      'tunemates/remove': ({ caller, other, write }) =>
        write([], async (writing) =>
          (await disconnect(writing, caller.uid, other)) ? accept({}) : refuse('access/not-found'),
        ),
    } satisfies Partial<Handlers>,
    accountHook: {
      /** Removes both sides of every entry of the account. */
      onDeleting: async (uid: Uid) =>
        await record.write(
          async (db) => [uid, ...(await peopleMetBy(db, uid))].map(userStream),
          async (writing) => {
            for (const mate of (await peopleMetBy(writing.db, uid)).sort()) await disconnect(writing, mate, uid);
          },
        ),
      exports: {
        tunemates: async (uid: Uid) =>
          (await tunematesOf(record.db, uid)).map(({ presence: _presence, ...mate }) => mate),
      },
    },
  };
}

/**
 * Puts each of two people on the other's list of this kind; a full list drops its oldest entry (MATE-2). The caller's
 * write holds both streams. Nothing changes for two who are on each other's list already.
 */
export async function connect(writing: Writing, kind: RoomKind, a: Uid, b: Uid): Promise<void> {
  if (a === b) return;
  const { db, nowMs } = writing;
  const { entries: lists, people } = await entriesAndPeople(db, [a, b]);
  const sides = [
    { uid: a, mate: b },
    { uid: b, mate: a },
  ].map((side) => {
    const entries = lists.filter(({ uid }) => uid === side.uid);
    const ofKind = entries.filter((entry) => entry.kind === kind).map(({ mate }) => mate);
    const kinds = entries.filter(({ mate }) => mate === side.mate).map((entry) => entry.kind);
    return { ...side, ...addToCappedList(ofKind, side.mate), kinds };
  });
  const added = sides.filter(({ isAdded }) => isAdded);
  if (added.length === 0) return;
  for (const { uid, dropped } of added) await takeOut(db, kind, uid, dropped);
  await append(db, kind, added, nowMs);
  for (const { uid, mate, dropped, kinds } of added) {
    for (const gone of dropped) {
      await writing.append(userStream(uid), { type: 'tunemates/removed', uid: gone, metIn: [kind] });
    }
    const person = people.get(mate);
    if (!person) continue;
    const metIn = roomKinds.filter((each) => each === kind || kinds.includes(each));
    await writing.append(userStream(uid), { type: 'tunemates/added', tunemate: { ...person, metIn } });
  }
}

/** Removes each from the other's lists, both kinds. False when neither was on any. */
export async function disconnect(writing: Writing, a: Uid, b: Uid): Promise<boolean> {
  const wasOnMine = await removeFrom(writing, a, b);
  const wasOnTheirs = await removeFrom(writing, b, a);
  return wasOnMine || wasOnTheirs;
}

async function removeFrom(writing: Writing, uid: Uid, mate: Uid): Promise<boolean> {
  const metIn = await kindsOf(writing.db, uid, mate);
  if (metIn.length === 0) return false;
  for (const kind of metIn) await takeOut(writing.db, kind, uid, [mate]);
  await writing.append(userStream(uid), { type: 'tunemates/removed', uid: mate, metIn });
  return true;
}

/** Everyone whose lists change when this account ends. */
async function peopleMetBy(db: Kysely<Schema>, uid: Uid): Promise<Uid[]> {
  const mine = (await entriesOf(db, uid)).map(({ mate }) => mate);
  return [...new Set([...mine, ...(await matesOf(db, uid))])];
}

/** Both lists as the sidebar shows them: each person once, the last one met first. */
export async function tunematesOf(db: Kysely<Schema>, uid: Uid): Promise<Tunemate[]> {
  const merged = mergeLists(await entriesOf(db, uid));
  const people = await peopleOf(
    db,
    merged.map((mate) => mate.uid),
  );
  return merged.flatMap(({ uid: mate, metIn }) => {
    const person = people.get(mate);
    return person ? [{ ...person, metIn }] : [];
  });
}

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
async function entriesAndPeople(db: Db, uids: readonly Uid[]) {
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
async function takeOut(db: Db, kind: RoomKind, uid: Uid, mates: readonly Uid[]): Promise<void> {
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
async function kindsOf(db: Db, uid: Uid, mate: Uid): Promise<RoomKind[]> {
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
