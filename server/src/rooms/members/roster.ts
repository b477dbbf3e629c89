/**
 * The people of a room: all of a small room, pages of a large one, found names, or voters; and the rooms
 * of several people, in one statement.
 */
import { foundBy, isLargeRoom } from '@tunemate/domain';
import {
  limits,
  type Participant,
  type Payload,
  type Result,
  type RoomId,
  type RoomKind,
  roomKinds,
  type SomePeople,
  type Uid,
  type WhichPeople,
} from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import { builtForEach, builtOnce, countOf, padded } from '../../storage/queries.ts';
import { roomById, settingsIn } from '../lifecycle/rooms-store.ts';
import { shownName } from '../../storage/people.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { type Db, forEachKind, type RoomRef, roomTables } from '../../storage/schema.ts';
import { accept } from '../../system/ports.ts';

export function rosterService({ record }: { record: StreamRecord }) {
  const people = async ({ caller, read }: Member, { which }: Payload<'rooms/people'>): Promise<Result<SomePeople>> =>
    await read(async ({ room, role }) =>
      accept(await somePeople(record.db, room, which, role === 'host' ? null : caller.uid)),
    );
  return { handlers: { 'rooms/people': people } satisfies Partial<Handlers> };
}

type Place = Pick<RoomRow, 'kind' | 'roomId' | 'host'>;

export interface Roster {
  /** How many people are in the room. */
  people: number;
  participants: Participant[];
}

interface NameRow {
  uid: string;
  name: string | null;
  online: number | null;
}

interface Row extends NameRow {
  is_audience: number | null;
}

const toParticipant = ({ uid, name, online }: NameRow): Participant => ({
  uid: uid as Uid,
  name: shownName(name),
  online: online === 1,
});

export const countPeople = (db: Db, { kind, roomId }: RoomRef): Promise<number> =>
  countOf(db.selectFrom(roomTables[kind].participants).where('room_id', '=', roomId));

/** How many people are in each of these rooms of a kind. */
export async function countsOfPeople(db: Db, kind: RoomKind, roomIds: readonly RoomId[]): Promise<Map<RoomId, number>> {
  if (roomIds.length === 0) return new Map();
  const rows = await db
    .selectFrom(roomTables[kind].participants)
    .select((inner) => ['room_id', inner.fn.countAll<number>().as('count')])
    .where('room_id', 'in', padded(roomIds))
    .groupBy('room_id')
    .execute();
  return new Map(rows.map(({ room_id: roomId, count }) => [roomId as RoomId, count]));
}

/** 1 in a room of more people than these, else null. */
const hasMoreThan = (kind: RoomKind, roomId: RawBuilder<string> | RoomId, people: number) => sql<number | null>`(
  select 1 from ${sql.table(roomTables[kind].participants)} as other
  where other.room_id = ${roomId} limit 1 offset ${people}
)`;

const membersOf = (db: Db, { kind, roomId }: Place) =>
  db
    .selectFrom(`${roomTables[kind].participants} as member`)
    .leftJoin('users', 'users.uid', 'member.uid')
    .select(['member.uid', 'users.name', 'users.online', 'member.joined_at_ms'])
    .where('member.room_id', '=', roomId);

const peopleOf = (db: Db, room: Place) =>
  membersOf(db, room).select(hasMoreThan(room.kind, room.roomId, limits.audiencePeople).as('is_audience'));

/** In the order in which they joined: read along an index, unsorted. */
function inOrder(db: Db, room: Place) {
  return peopleOf(db, room).orderBy('member.joined_at_ms').orderBy('member.uid');
}

/**
 * The first people of a room, the host before the others, and at least `most` of the others where there are so many.
 */
async function firstOf(db: Db, room: Place, most: number): Promise<{ rows: Row[]; guests: Row[] }> {
  const first = await inOrder(db, room)
    .limit(most + 1)
    .execute();
  const isHost = ({ uid }: Row) => uid === room.host;
  const guests = first.filter((row) => !isHost(row));
  // A host who took the room over may have joined after all of them.
  const host = first.find(isHost) ?? (await peopleOf(db, room).where('member.uid', '=', room.host).executeTakeFirst());
  return { rows: host ? [host, ...guests] : guests, guests };
}

/**
 * All people of a small room, the first page of a large one; the host first, then in the order in which they joined.
 */
export async function rosterOf(db: Db, room: Place): Promise<Roster> {
  const { rows } = await firstOf(db, room, limits.namedPeople);
  if (!isLargeRoom(rows.length)) return { people: rows.length, participants: rows.map(toParticipant) };
  return { people: await countPeople(db, room), participants: rows.slice(0, limits.rosterPage).map(toParticipant) };
}

/** This person, if they are in the room. */
export async function memberIn(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<Participant | null> {
  const [row] = await memberQueries[kind](db, roomId, uid);
  return row ? toParticipant(row) : null;
}

/** The values come from a table of one row: SQLite plans a join anew for each value that a condition names itself. */
const memberQueries = forEachKind((kind) =>
  builtOnce(
    (_db, roomId: RoomId, uid: Uid) => sql<NameRow>`
    select member.uid, users.name, users.online
    from (select cast(${roomId} as text) as room_id, cast(${uid} as text) as uid) as asked
    cross join ${sql.table(roomTables[kind].participants)} as member
    left join users on users.uid = member.uid
    where member.room_id = asked.room_id and member.uid = asked.uid`,
  ),
);

/** Who may vote to skip: the online guests of a live room where a majority skips; null of other rooms. */
export async function votersIn(db: Db, ref: RoomRef): Promise<readonly Uid[] | null> {
  const room = await roomById(db, ref);
  return room?.isActive && room.majoritySkips ? await onlineGuestsOf(db, room) : null;
}

async function onlineGuestsOf(db: Db, room: Place): Promise<Uid[]> {
  const rows = await inOrder(db, room).where('users.online', '=', 1).execute();
  return rows.flatMap(({ uid }) => (uid === room.host ? [] : [uid as Uid]));
}

/**
 * At most a page. Letters are compared here: databases fold only some of them. Of an audience a guest (null: the host)
 * learns the host and themselves, and those whose uid they know already.
 */
export async function somePeople(db: Db, room: Place, which: WhichPeople, guest: Uid | null): Promise<SomePeople> {
  const found = await finders[which.type](db, room, which as never, guest !== null);
  const isHidden = guest !== null && which.type !== 'these' && found.some((row) => row.is_audience === 1);
  if (isHidden) return await somePeople(db, room, { type: 'these', uids: [room.host, guest] }, guest);
  const participants = found.slice(0, limits.rosterPage).map(toParticipant);
  return { participants, hasMore: found.length > limits.rosterPage };
}

type Find<Type extends WhichPeople['type']> = (
  db: Db,
  room: Place,
  which: Extract<WhichPeople, { type: Type }>,
  isGuest: boolean,
) => Promise<Row[]>;

const finders: { [Type in WhichPeople['type']]: Find<Type> } = {
  after: async (db, room, { uid }) => {
    const { rows, guests } = uid === null || uid === room.host ? await firstOf(db, room, pageAndOne) : noRows;
    if (uid === null) return rows;
    if (uid === room.host) return guests;
    const last = await db
      .selectFrom(roomTables[room.kind].participants)
      .select('joined_at_ms')
      .where('room_id', '=', room.roomId)
      .where('uid', '=', uid)
      .executeTakeFirst();
    // The last one known has left: the first page again.
    if (!last) return (await firstOf(db, room, pageAndOne)).rows;
    return await inOrder(db, room)
      .limit(pageAndOne)
      .where('member.uid', '<>', room.host)
      .where(({ refTuple, tuple, eb }) =>
        eb(refTuple('member.joined_at_ms', 'member.uid'), '>', tuple(last.joined_at_ms, uid as string)),
      )
      .execute();
  },
  named: async (db, room, { letters }, isGuest) => {
    const isFound = foundBy(letters);
    const found: Row[] = [];
    // In pieces, so that a name that many share does not read all people.
    for (let last: NamedRow | undefined; found.length < pageAndOne;) {
      const some = await namedAfter(db, room, last);
      // Guests can't search an audience: they get the first page of it, whatever they typed.
      if (isGuest && some[0]?.is_audience === 1) return some;
      found.push(...some.filter(({ name }) => isFound(shownName(name))));
      last = some.at(-1);
      if (some.length < namesAtOnce) break;
    }
    return hostFirst(room, found);
  },
  // Sorted here: to have them in order, a database reads all people of the room along the index of that order.
  these: async (db, room, { uids }) => {
    const rows = await membersOf(db, room).where('member.uid', 'in', padded(uids)).execute();
    const inOrder = rows.toSorted((a, b) => a.joined_at_ms - b.joined_at_ms || (a.uid < b.uid ? -1 : 1));
    return hostFirst(
      room,
      inOrder.map((row) => ({ ...row, is_audience: null })),
    );
  },
};

const pageAndOne = limits.rosterPage + 1;
const noRows = { rows: [], guests: [] };
const namesAtOnce = 250;

type NamedRow = Row & { joined_at_ms: number };

async function namedAfter(db: Db, room: Place, last: NamedRow | undefined): Promise<NamedRow[]> {
  let query = inOrder(db, room).limit(namesAtOnce);
  if (last) {
    query = query.where(({ refTuple, tuple, eb }) =>
      eb(refTuple('member.joined_at_ms', 'member.uid'), '>', tuple(last.joined_at_ms, last.uid)),
    );
  }
  return await query.execute();
}

const hostFirst = ({ host }: Place, rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => Number(b.uid === host) - Number(a.uid === host));

interface MemberOf extends RoomRef {
  /** Presence is not broadcast there. */
  isLarge: boolean;
  isHost: boolean;
  /** Whether votes of those present skip a track. */
  majoritySkips: boolean;
}

interface MemberRow {
  uid: string;
  room_id: string;
  kind: RoomKind;
  settings: string;
  is_large: number | null;
  host: string;
}

/**
 * The live rooms of both kinds of which each of these people is a member; people without any are absent. Those of more
 * than `fewPeople` are large.
 */
export async function liveRoomsOfPeople(
  db: Db,
  uids: readonly Uid[],
  fewPeople: number = limits.namedPeople,
): Promise<Map<Uid, MemberOf[]>> {
  const rooms = new Map<Uid, MemberOf[]>();
  if (uids.length === 0) return rooms;
  for (const row of await membershipsOf(db, uids, fewPeople)) {
    const uid = row.uid as Uid;
    const { kind, room_id: roomId } = row;
    const room = {
      kind,
      roomId: roomId as RoomId,
      isLarge: row.is_large === 1,
      isHost: row.host === row.uid,
      majoritySkips: settingsIn(row.settings).majoritySkips,
    };
    rooms.set(uid, [...(rooms.get(uid) ?? []), room]);
  }
  return rooms;
}

const membershipsOf = builtForEach((_db, uids: readonly Uid[], fewPeople: number) => {
  const members = roomKinds.map((kind) => {
    const { rooms: table, participants } = roomTables[kind];
    return sql`
      select member.uid, member.room_id, cast(${sql.lit(kind)} as text) as kind, room.settings, room.host,
        ${hasMoreThan(kind, sql<string>`member.room_id`, fewPeople)} as is_large
      from ${sql.table(participants)} as member
      inner join ${sql.table(table)} as room on room.room_id = member.room_id
      where member.uid in (${sql.join(uids)}) and room.is_active = 1`;
  });
  return sql<MemberRow>`${sql.join(members, sql` union all `)}`;
});
