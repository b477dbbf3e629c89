/**
 * Reads who is in a room: all of a small room, pages of a large one, and those who are looked for. It does not know who
 * asks.
 */
import { isLargeRoom } from '@tunemate/domain';
import { limits, type Participant, type SomePeople, type Uid, type WhichPeople } from '@tunemate/protocol';
import { type Kysely, sql } from 'kysely';
import type { RoomRow } from '../../access/subjects.ts';
import { shownName } from '../../storage/people.ts';
import { roomTables, type Schema } from '../../storage/schema.ts';

type Db = Kysely<Schema>;
type Place = Pick<RoomRow, 'kind' | 'roomId' | 'host'>;

export interface Roster {
  /** How many people are in the room. */
  people: number;
  participants: Participant[];
}

interface Row {
  uid: string;
  name: string | null;
  online: number | null;
}

const toParticipant = ({ uid, name, online }: Row): Participant => ({
  uid: uid as Uid,
  name: shownName(name),
  online: online === 1,
});

export async function countPeople(db: Db, { kind, roomId }: Pick<Place, 'kind' | 'roomId'>): Promise<number> {
  const row = await db
    .selectFrom(roomTables[kind].participants)
    .select((inner) => inner.fn.countAll<number>().as('count'))
    .where('room_id', '=', roomId)
    .executeTakeFirstOrThrow();
  return row.count;
}

function peopleOf(db: Db, { kind, roomId }: Place) {
  return db
    .selectFrom(`${roomTables[kind].participants} as member`)
    .leftJoin('users', 'users.uid', 'member.uid')
    .select(['member.uid', 'users.name', 'users.online'])
    .where('member.room_id', '=', roomId);
}

/** The host first, then in the order in which they joined. Sorts everybody. */
function inOrder(db: Db, room: Place) {
  return peopleOf(db, room)
    .orderBy(sql`case when member.uid = ${room.host} then 0 else 1 end`)
    .orderBy('member.joined_at_ms')
    .orderBy('member.uid');
}

/** Everybody in a small room, the first page of a large one, in the same order; read along an index, unsorted. */
export async function rosterOf(db: Db, room: Place): Promise<Roster> {
  const first = await peopleOf(db, room)
    .orderBy('member.joined_at_ms')
    .orderBy('member.uid')
    .limit(limits.namedPeople + 1)
    .execute();
  const isHost = ({ uid }: Row) => uid === room.host;
  // A host who took the room over may have joined after all of them.
  const hosts = first.some(isHost)
    ? first.filter(isHost)
    : await peopleOf(db, room).where('member.uid', '=', room.host).execute();
  const rows = [...hosts, ...first.filter((row) => !isHost(row))];
  if (!isLargeRoom(first.length)) return { people: first.length, participants: rows.map(toParticipant) };
  return { people: await countPeople(db, room), participants: rows.slice(0, limits.rosterPage).map(toParticipant) };
}

/** The guests who are online. */
export async function onlineGuestsOf(db: Db, room: Place): Promise<Uid[]> {
  const rows = await inOrder(db, room).where('users.online', '=', 1).execute();
  return rows.flatMap(({ uid }) => (uid === room.host ? [] : [uid as Uid]));
}

/** At most a page. Letters are compared here: databases fold only some of them. */
export async function somePeople(db: Db, room: Place, which: WhichPeople): Promise<SomePeople> {
  const found = await finders[which.type](db, room, which as never);
  const participants = found.slice(0, limits.rosterPage).map(toParticipant);
  return { participants, hasMore: found.length > limits.rosterPage };
}

type Find<Type extends WhichPeople['type']> = (
  db: Db,
  room: Place,
  which: Extract<WhichPeople, { type: Type }>,
) => Promise<Row[]>;

const finders: { [Type in WhichPeople['type']]: Find<Type> } = {
  after: async (db, room, { uid }) => {
    const page = inOrder(db, room).limit(limits.rosterPage + 1);
    if (uid === null) return await page.execute();
    const others = page.where('member.uid', '<>', room.host);
    if (uid === room.host) return await others.execute();
    const last = await db
      .selectFrom(roomTables[room.kind].participants)
      .select('joined_at_ms')
      .where('room_id', '=', room.roomId)
      .where('uid', '=', uid)
      .executeTakeFirst();
    // Whoever was the last one known has left: the first page again.
    if (!last) return await page.execute();
    return await others
      .where(({ refTuple, tuple, eb }) =>
        eb(refTuple('member.joined_at_ms', 'member.uid'), '>', tuple(last.joined_at_ms, uid as string)),
      )
      .execute();
  },
  named: async (db, room, { letters }) => {
    const wanted = letters.trim().toLocaleLowerCase();
    const all = await inOrder(db, room).execute();
    return all.filter(({ name }) => shownName(name).toLocaleLowerCase().includes(wanted));
  },
  these: async (db, room, { uids }) => await inOrder(db, room).where('member.uid', 'in', uids).execute(),
};
