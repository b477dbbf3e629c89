/**
 * A person's membership of a room: read in one statement with the room and their request, so that all three are of one
 * moment, and checked for every request that names a room.
 */
import { holdsRemote, type RequestFact, refusalFor, roleOf } from '@tunemate/domain';
import {
  type Result,
  type RoomId,
  type RoomKind,
  type RoomNeed,
  roomStream,
  type StreamId,
  type Uid,
} from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Membership, RoomRow, RoomStreams, Subjects } from '../../access/subjects.ts';
import { builtOnce } from '../../storage/queries.ts';
import { type StreamRecord, together } from '../../storage/record.ts';
import { type Db, forEachKind, type RoomRef, roomTables } from '../../storage/schema.ts';
import { accept, type Clock, refuse } from '../../system/ports.ts';
import { type RequestColumns, requestIn } from '../join/join-requests-store.ts';
import { type RoomRecord, toRoom } from '../lifecycle/rooms-store.ts';

/** Reads a known room and the membership of `uid` again; null when the room was deleted. */
export async function membershipAgain(db: Db, known: RoomRef, uid: Uid, nowMs: number): Promise<Membership | null> {
  return membershipFrom(await membershipById(db, known.kind, known.roomId, uid), uid, nowMs);
}

/** For members the request does not count. */
function membershipFrom(facts: MembershipFacts | null, uid: Uid, nowMs: number): Membership | null {
  if (!facts) return null;
  const { room, isInside } = facts;
  const request = isInside ? null : facts.request;
  return { room, role: roleOf(room, uid, isInside, request, nowMs), request };
}

/** Refuses unless the membership allows what is needed. A deleted room is answered as unknown. */
function check(membership: Membership | null, need: RoomNeed, uid: Uid): Result<Membership> {
  if (!membership) return refuse('room/not-found');
  const { room, role } = membership;
  const code = refusalFor(need, role, room.isActive, holdsRemote(room, uid));
  return code ? refuse(code) : accept(membership);
}

const mostKnown = 20_000;

/**
 * The subject of a request that names a room. The room is found by the code in the same statement as the membership. A
 * write has to name the room's stream before, so this process remembers which room it found last for each code. That
 * gives no right: a write that finds another room behind its locks begins again with that one.
 */
export function memberResolver(record: StreamRecord, clock: Pick<Clock, 'now'>): Subjects['room'] {
  const known = new Map<string, RoomId>();

  async function roomIdOf(kind: RoomKind, code: string): Promise<RoomId | null> {
    const key = `${kind} ${code}`;
    const roomId = known.get(key) ?? (await latestRoomId(record.db, kind, code));
    if (known.size >= mostKnown) known.clear();
    if (roomId !== null) known.set(key, roomId);
    return roomId;
  }

  return (caller, { kind, code }, need) => {
    let hasChecked = false;
    let own: RoomId | null = null;

    async function membershipIn(db: Db, nowMs: number): Promise<Membership | null> {
      hasChecked = true;
      const facts =
        own === null
          ? await membershipByCode(db, kind, code, caller.uid)
          : await membershipById(db, kind, own, caller.uid);
      return membershipFrom(facts, caller.uid, nowMs);
    }

    return {
      caller,
      isChecked: () => hasChecked,
      async read(work) {
        const now = check(await membershipIn(record.db, clock.now()), need, caller.uid);
        if (!now.ok) return now;
        own = now.value.room.roomId;
        return await work(now.value);
      },
      async write(others, work) {
        for (;;) {
          const roomId = own ?? (await roomIdOf(kind, code));
          if (roomId === null) return refuse('room/not-found');
          const further = typeof others === 'function' ? othersIn(others, { kind, roomId }) : others;
          const outcome = await record.write(together([roomStream(roomId)], further), async (writing) => {
            const membership = await membershipIn(writing.db, writing.nowMs);
            if (own === null && membership?.room.roomId !== roomId) return 'another-room';
            const now = check(membership, need, caller.uid);
            return now.ok ? await work(writing, now.value) : now;
          });
          if (outcome !== 'another-room') return outcome;
          known.delete(`${kind} ${code}`);
        }
      },
    };
  };
}

const othersIn = (others: Exclude<RoomStreams, readonly StreamId[]>, room: RoomRef) => async (db: Db) =>
  await others(room, db);

/** The room, whether this person is in it (the host always is), and their request. */
interface MembershipFacts {
  room: RoomRow;
  isInside: boolean;
  request: RequestFact | null;
}

/** In the live room with this code, or else the latest that had it. */
export async function membershipByCode(
  db: Db,
  kind: RoomKind,
  code: string,
  uid: Uid,
): Promise<MembershipFacts | null> {
  const [row] = await queries[kind].byCode(db, code, uid);
  return row ? factsOf(kind, row, uid) : null;
}

async function membershipById(db: Db, kind: RoomKind, roomId: RoomId, uid: Uid): Promise<MembershipFacts | null> {
  const [row] = await queries[kind].byId(db, roomId, uid);
  return row ? factsOf(kind, row, uid) : null;
}

type Row = RoomRecord & RequestColumns & { member: string | null };

const queries = forEachKind((kind) => ({
  // Found first and read then: the whole row would be sorted for its place among those of the code.
  byCode: builtOnce((_db, code: string, uid: Uid) => read(kind, uid, code, sql`(${latestOf(kind, sql`asked.place`)})`)),
  byId: builtOnce((_db, roomId: RoomId, uid: Uid) => read(kind, uid, roomId, sql`asked.place`)),
}));

const latestOf = (kind: RoomKind, code: RawBuilder<unknown>) =>
  sql<{ room_id: string }>`
    select room_id from ${sql.table(roomTables[kind].rooms)} where code = ${code}
    order by is_active desc, created_at_ms desc limit 1`;

async function latestRoomId(db: Db, kind: RoomKind, code: string): Promise<RoomId | null> {
  const { rows } = await latestOf(kind, sql`${code}`).execute(db);
  return (rows[0]?.room_id as RoomId | undefined) ?? null;
}

/** The values come from a table of one row: SQLite plans a join anew for each value that a condition names itself. */
function read(kind: RoomKind, uid: Uid, place: string, roomId: RawBuilder<unknown>): RawBuilder<Row> {
  const { rooms, participants, requests } = roomTables[kind];
  return sql<Row>`
    select room.*, member.uid as member, request.status, request.asked_at_ms, request.renewed_at_ms, request.answered_at_ms, request.times_asked
    from (select cast(${uid} as text) as uid, cast(${place} as text) as place) as asked
    cross join ${sql.table(rooms)} as room
    left join ${sql.table(participants)} as member on member.room_id = room.room_id and member.uid = asked.uid
    left join ${sql.table(requests)} as request on request.room_id = room.room_id and request.uid = asked.uid
    where room.room_id = ${roomId}`;
}

const factsOf = (kind: RoomKind, row: Row, uid: Uid): MembershipFacts => ({
  room: toRoom(kind, row),
  isInside: row.host === uid || row.member !== null,
  request: requestIn(row),
});
