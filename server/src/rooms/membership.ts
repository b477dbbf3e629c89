/**
 * Reads a person's membership of a room and checks it: for every request that names a room, and again inside its write.
 */
import { type RequestFact, refusalFor, roleOf, type RoomNeed } from '@tunemate/domain';
import { roomStream, type Uid, type Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Subjects } from '../access/authorize.ts';
import type { Membership, RoomRow } from '../access/subjects.ts';
import { accept, type Clock, refuse } from '../ports.ts';
import { type StreamRecord, together } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { requestOf } from './requests-store.ts';
import { findRoom, isMember, roomById } from './rooms-store.ts';

/** Reads a known room and the membership of `uid` again; null when the room was deleted. */
export async function membershipAgain(
  db: Kysely<Schema>,
  known: RoomRow,
  uid: Uid,
  nowMs: number,
): Promise<Membership | null> {
  const room = await roomById(db, known.kind, known.roomId);
  return room ? await membershipIn(db, room, uid, nowMs) : null;
}

/** For members the request is not read. */
async function membershipIn(db: Kysely<Schema>, room: RoomRow, uid: Uid, nowMs: number): Promise<Membership> {
  const isInside = room.host === uid || (await isMember(db, room.kind, room.roomId, uid));
  const request: RequestFact | null = isInside ? null : await requestOf(db, room.kind, room.roomId, uid);
  // Read again, because the request may have been accepted between the two reads.
  const cameInside = request?.status === 'accepted' && (await isMember(db, room.kind, room.roomId, uid));
  return { room, role: roleOf(room, uid, isInside || cameInside, request, nowMs), request };
}

/** Refuses unless the membership allows what is needed. A deleted room is answered as unknown. */
function check(membership: Membership | null, need: RoomNeed): Result<Membership> {
  if (!membership) return refuse('room/not-found');
  const code = refusalFor(need, membership.role, membership.room.isActive);
  return code ? refuse(code) : accept(membership);
}

/** Resolves the room that a request names and checks what the caller may do there. */
export function memberResolver(record: StreamRecord, clock: Pick<Clock, 'now'>): Subjects['room'] {
  return async (caller, { kind, code }, need) => {
    const found = await findRoom(record.db, kind, code);
    const first = check(found && (await membershipIn(record.db, found, caller.uid, clock.now())), need);
    if (!first.ok) return first;
    const { room } = first.value;
    const readAgain = async (db: Kysely<Schema>, nowMs: number) =>
      check(await membershipAgain(db, room, caller.uid, nowMs), need);
    return accept({
      ...first.value,
      caller,
      again: () => readAgain(record.db, clock.now()),
      write: (others, work) =>
        record.write(together([roomStream(room.roomId)], others), async (writing) => {
          const now = await readAgain(writing.db, writing.nowMs);
          return now.ok ? await work(writing, now.value) : now;
        }),
    });
  };
}
