/**
 * The two capped lists of each person: tunemates of video rooms, `audioConnections` of audio rooms. Each person whose
 * list changes is notified on their own stream, in the same transaction.
 */
import { addToCappedList, mergeLists, type TunemateEntry } from '@tunemate/domain';
import { type RoomKind, roomKinds, type Tunemate, type Uid, userStream } from '@tunemate/protocol';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Handlers } from '../access/subjects.ts';
import { dropMusicWithoutTie } from './music-pairs.ts';
import { fewAtATime } from '../storage/pages.ts';
import { builtForEach, builtOnce } from '../storage/queries.ts';
import { peopleOf, type Person, toPerson } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { type Db, forEachKind, type Schema } from '../storage/schema.ts';
import { accept, refuse } from '../system/ports.ts';

interface TunematesDeps {
  record: StreamRecord;
  /** Who sees what these people hear has changed: each page that sees it gets it anew. Called after the commit. */
  heardChanged: (uids: readonly Uid[]) => void;
}

export function tunematesService({ record, heardChanged }: TunematesDeps) {
  return {
    handlers: {
      'tunemates/remove': ({ caller, other, write }) =>
        write([], async (writing) => {
          if (!(await disconnect(writing, caller.uid, other))) return refuse('access/not-found');
          // What the two were shown they may still see as soulmates.
          writing.afterCommit(() => heardChanged([caller.uid, other]));
          return accept({});
        }),
    } satisfies Partial<Handlers>,
    accountHook: {
      /** Removes both sides of every entry of the account. */
      onDeleting: (uid: Uid) =>
        fewAtATime(
          () => peopleMetBy(record.db, uid),
          (mates) =>
            record.write([uid, ...mates].map(userStream), async (writing) => {
              for (const mate of mates.toSorted()) await disconnect(writing, mate, uid);
            }),
        ),
      exports: {
        tunemates: async (uid: Uid) =>
          (await tunematesOf(record.db, uid)).map(({ presence: _presence, ...mate }) => mate),
      },
    },
  };
}

/** Called after the commit in which the full list of a person has dropped another. */
export type Dropped = (uid: Uid, gone: Uid) => void;

/**
 * Puts each of two people on the other's list of this kind; a full list drops its oldest entry (MATE-2). The caller's
 * write holds both streams. Nothing changes for two who are on each other's list already.
 */
export async function connect(writing: Writing, kind: RoomKind, a: Uid, b: Uid, dropped?: Dropped): Promise<void> {
  if (a === b) return;
  const { db, nowMs } = writing;
  const { lists, metElsewhere, people } = await listsAndPeople(db, kind, a, b);
  const sides = [
    { uid: a, mate: b },
    { uid: b, mate: a },
  ].map((side) => ({ ...side, ...addToCappedList(lists.get(side.uid) ?? [], side.mate) }));
  const added = sides.filter(({ isAdded }) => isAdded);
  const [first, second] = added;
  if (!first) return;
  for (const { uid, dropped } of added) await takeOut(db, kind, uid, dropped);
  await append(db, kind, [first, second], nowMs);
  for (const { uid, mate, dropped: oldest } of added) {
    for (const gone of oldest) {
      await writing.append(userStream(uid), { type: 'tunemates/removed', uid: gone, metIn: [kind] });
      await dropMusicWithoutTie(db, uid, gone);
      writing.afterCommit(() => dropped?.(uid, gone));
    }
    const person = people.get(mate);
    if (!person) continue;
    const metIn = roomKinds.filter((each) => each === kind || metElsewhere.has(uid));
    await writing.append(userStream(uid), { type: 'tunemates/added', tunemate: { ...person, metIn } });
  }
}

/** Removes each from the other's lists, both kinds. False when neither was on any. */
export async function disconnect(writing: Writing, a: Uid, b: Uid): Promise<boolean> {
  const wasOnMine = await removeFrom(writing, a, b);
  const wasOnTheirs = await removeFrom(writing, b, a);
  if (wasOnMine || wasOnTheirs) await dropMusicWithoutTie(writing.db, a, b);
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
async function peopleMetBy(db: Db, uid: Uid): Promise<Uid[]> {
  const mine = (await entriesOf(db, uid)).map(({ mate }) => mate);
  return [...new Set([...mine, ...(await matesOf(db, uid))])];
}

/** Both lists as the sidebar shows them: each person once, the last one met first. */
export async function tunematesOf(db: Db, uid: Uid): Promise<Tunemate[]> {
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

/** Where each kind's list is stored. */
const listTables = { video: 'tunemates', audio: 'audio_connections' } as const satisfies Record<RoomKind, keyof Schema>;

/** The entries of both lists of these people, oldest first. */
export async function entriesOfPeople(db: Db, uids: readonly Uid[]): Promise<(TunemateEntry & { uid: Uid })[]> {
  const rows = await listsOf(db, uids);
  return rows.map((row) => ({
    uid: row.uid as Uid,
    mate: row.mate as Uid,
    kind: row.kind,
    addedAtMs: row.added_at_ms,
  }));
}

const listsOf = builtForEach((db, uids: readonly Uid[]) => {
  const [video, audio] = roomKinds.map((kind) =>
    db
      .selectFrom(listTables[kind])
      .select(['uid', 'mate', 'added_at_ms', 'position', sql.lit(kind).as('kind')])
      .where('uid', 'in', uids),
  ) as [PeopleQuery, PeopleQuery];
  return video.unionAll(audio).orderBy('position');
});
type PeopleQuery = SelectQueryBuilder<
  Schema,
  never,
  { uid: string; mate: string; added_at_ms: number; position: number; kind: RoomKind }
>;

/**
 * Of two people who meet in a room of this kind, in one statement: their lists of the kind, oldest first, who of them has
 * the other on the list of the other kind, and who they are.
 */
async function listsAndPeople(db: Db, kind: RoomKind, a: Uid, b: Uid) {
  const rows = await meetings[kind](db, a, b);
  const people = new Map<Uid, Person>();
  const lists = new Map<Uid, Uid[]>();
  const metElsewhere = new Set<Uid>();
  for (const row of rows) {
    const uid = row.uid as Uid;
    if (row.mate === null) people.set(uid, toPerson(row));
    else if (row.kind !== kind) metElsewhere.add(uid);
    else lists.set(uid, [...(lists.get(uid) ?? []), row.mate as Uid]);
  }
  return { lists, metElsewhere, people };
}

/** An entry of a list, or, without a mate, a person. */
interface MeetingRow {
  uid: string;
  mate: string | null;
  kind: RoomKind;
  name: string;
  online: number;
  presence_changed_at_ms: number;
}

const meetings = forEachKind((kind) => {
  const other = roomKinds.find((each) => each !== kind) ?? kind;
  const entry = (of: RoomKind) => sql`
    select uid, mate, position, cast(${sql.lit(of)} as text) as kind, '' as name, 0 as online, 0 as presence_changed_at_ms
    from ${sql.table(listTables[of])}`;
  return builtOnce(
    (_db, a: Uid, b: Uid) => sql<MeetingRow>`
    ${entry(kind)} where uid in (${a}, ${b})
    union all ${entry(other)} where (uid = ${a} and mate = ${b}) or (uid = ${b} and mate = ${a})
    union all
    select uid, null, 0, cast(${sql.lit(kind)} as text), name, online, presence_changed_at_ms
    from users where uid in (${a}, ${b}) and deleted_at_ms is null and email_verified = 1
    order by position`,
  );
});

type NewEntry = Readonly<Pick<TunemateEntry, 'mate'> & { uid: Uid }>;

/** Puts each `mate` at the end of the list of `uid`: one, or both of two who meet. */
export async function append(
  db: Db,
  kind: RoomKind,
  [first, second]: readonly [NewEntry, (NewEntry | undefined)?],
  nowMs: number,
): Promise<void> {
  if (second) await additions[kind].two(db, first.uid, first.mate, second.uid, second.mate, nowMs);
  else await additions[kind].one(db, first.uid, first.mate, nowMs);
}

const additions = forEachKind((kind) => {
  const list = sql.table(listTables[kind]);
  const row = (uid: Uid, mate: Uid, nowMs: number) => sql`
    select cast(${uid} as text), cast(${mate} as text), cast(${nowMs} as bigint), coalesce(max(position), 0) + 1
    from ${list} where uid = ${uid}`;
  const into = sql`insert into ${list} (uid, mate, added_at_ms, position)`;
  return {
    one: builtOnce((_db, uid: Uid, mate: Uid, nowMs: number) => sql`${into} ${row(uid, mate, nowMs)}`),
    two: builtOnce(
      (_db, a: Uid, mateOfA: Uid, b: Uid, mateOfB: Uid, nowMs: number) =>
        sql`${into} ${row(a, mateOfA, nowMs)} union all ${row(b, mateOfB, nowMs)}`,
    ),
  };
});

/** Removes `mates` from the list. */
async function takeOut(db: Db, kind: RoomKind, uid: Uid, mates: readonly Uid[]): Promise<void> {
  for (const mate of mates) await removals[kind](db, uid, mate);
}

const removals = forEachKind((kind) =>
  builtOnce((db, uid: Uid, mate: Uid) =>
    db.deleteFrom(listTables[kind]).where('uid', '=', uid).where('mate', '=', mate),
  ),
);

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
