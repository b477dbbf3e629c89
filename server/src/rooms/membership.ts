/**
 * Reads a person's membership of a room and checks it: for every request that names a room, and again inside its write.
 */
import { refusalFor, roleOf, type RoomNeed } from '@tunemate/domain';
import { roomStream, type Uid, type Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Subjects } from '../access/authorize.ts';
import type { Membership, RoomRow } from '../access/subjects.ts';
import { accept, type Clock, refuse } from '../ports.ts';
import { type StreamRecord, together } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { type MembershipFacts, membershipByCode, membershipById } from './membership-store.ts';

/** Reads a known room and the membership of `uid` again; null when the room was deleted. */
export async function membershipAgain(
  db: Kysely<Schema>,
  known: RoomRow,
  uid: Uid,
  nowMs: number,
): Promise<Membership | null> {
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
function check(membership: Membership | null, need: RoomNeed): Result<Membership> {
  if (!membership) return refuse('room/not-found');
  const code = refusalFor(need, membership.role, membership.room.isActive);
  return code ? refuse(code) : accept(membership);
}

/** Resolves the room that a request names and checks what the caller may do there. */
export function memberResolver(record: StreamRecord, clock: Pick<Clock, 'now'>): Subjects['room'] {
  return async (caller, { kind, code }, need) => {
    const found = await membershipByCode(record.db, kind, code, caller.uid);
    const first = check(membershipFrom(found, caller.uid, clock.now()), need);
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
