/**
 * Reads a person's membership of a room and checks it: for every request that names a room, and again inside its write.
 */
import { refusalFor, roleOf, type RoomNeed } from '@tunemate/domain';
import { roomStream, type Uid, type Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Subjects } from '../../access/authorize.ts';
import type { Membership, RoomRow, Seat } from '../../access/subjects.ts';
import { accept, type Clock, refuse } from '../../system/ports.ts';
import type { Caller } from '../../realtime/caller.ts';
import { type StreamRecord, together } from '../../storage/record.ts';
import type { Schema } from '../../storage/schema.ts';
import { knownSeats } from './known-seats.ts';
import { type MembershipFacts, membershipByCode, membershipById } from './membership-store.ts';

/** Reads a known room and the membership of `uid` again; null when the room was deleted. */
export async function membershipAgain(
  db: Kysely<Schema>,
  known: Pick<RoomRow, 'kind' | 'roomId'>,
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

/**
 * Resolves the room that a request names and checks what the caller may do there. Requests that are decided within their
 * write are resolved from where this process saw the caller last. What is found there then decides: where it refuses, or
 * is no longer the room of this code, the request is resolved anew from the code.
 */
export function memberResolver(record: StreamRecord, clock: Pick<Clock, 'now'>): Subjects['room'] {
  const seats = knownSeats();

  function seatIn(room: Seat['room'], caller: Caller, isRight: (now: Membership | null) => Result<Membership>): Seat {
    const readAgain = async (db: Kysely<Schema>, nowMs: number) =>
      isRight(await membershipAgain(db, room, caller.uid, nowMs));
    return {
      caller,
      room,
      again: () => readAgain(record.db, clock.now()),
      write: (others, work) =>
        record.write(together([roomStream(room.roomId)], others), async (writing) => {
          const now = await readAgain(writing.db, writing.nowMs);
          return now.ok ? await work(writing, now.value) : now;
        }),
    };
  }

  return async (caller, { kind, code }, need, decided) => {
    const known = decided === 'within' ? seats.find(caller.uid, kind, code) : null;
    if (known !== null) {
      const seat = seatIn({ kind, roomId: known }, caller, (now) => {
        const right = check(now?.room.code === code ? now : null, need);
        if (!right.ok) {
          seats.forget(caller.uid, kind, code);
          seat.isOutdated = true;
        }
        return right;
      });
      return accept(seat);
    }
    const found = await membershipByCode(record.db, kind, code, caller.uid);
    const first = check(membershipFrom(found, caller.uid, clock.now()), need);
    if (!first.ok) return first;
    const { room, role } = first.value;
    if (role === 'host' || role === 'participant') seats.note(caller.uid, room);
    return accept({ ...seatIn(room, caller, (now) => check(now, need)), ...first.value });
  };
}
