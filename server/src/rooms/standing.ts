/**
 * What someone is to a room, read in one place: every room request starts here, and again inside its transaction.
 */
import { type RequestFact, refusalFor, type Role, roleOf, type RoomNeed } from '@tunemate/domain';
import type { RoomKind, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { type Clock, type Refused, refuse } from '../ports.ts';
import type { Schema } from '../storage/schema.ts';
import { requestOf } from './requests-store.ts';
import { findRoom, hasSeat, roomById, type RoomRow } from './rooms-store.ts';

export interface Standing {
  room: RoomRow;
  role: Role;
  hasSeat: boolean;
  request: RequestFact | null;
}

/** The standing of `uid` in the room that this code names for them; null when no room ever had the code. */
export async function standingByCode(
  db: Kysely<Schema>,
  kind: RoomKind,
  code: string,
  uid: Uid,
  nowMs: number,
): Promise<Standing | null> {
  const room = await findRoom(db, kind, code);
  return room ? await standingIn(db, room, uid, nowMs) : null;
}

/** The same, read again inside a transaction that holds the room's stream. */
export async function standingAgain(
  db: Kysely<Schema>,
  known: RoomRow,
  uid: Uid,
  nowMs: number,
): Promise<Standing | null> {
  const room = await roomById(db, known.kind, known.roomId);
  return room ? await standingIn(db, room, uid, nowMs) : null;
}

async function standingIn(db: Kysely<Schema>, room: RoomRow, uid: Uid, nowMs: number): Promise<Standing> {
  // The request first: whoever is accepted between the two reads is seen to wait or to be inside, never as a stranger.
  const request = await requestOf(db, room.kind, room.roomId, uid);
  const seat = await hasSeat(db, room.kind, room.roomId, uid);
  return { room, role: roleOf(room, uid, seat, request, nowMs), hasSeat: seat, request };
}

/** Refuses unless the standing allows what is needed; a missing room is the same as one that never was. */
export function check(standing: Standing | null, need: RoomNeed): { standing: Standing } | Refused {
  if (!standing) return refuse('room/not-found');
  const code = refusalFor(need, standing.role, standing.room.isActive);
  return code ? refuse(code) : { standing };
}

/** The gate that other words use: the live room and the caller's right to it, or why not. */
export function gateRoom(clock: Clock) {
  return async (
    db: Kysely<Schema>,
    caller: { uid: Uid },
    { kind, code }: { kind: RoomKind; code: string },
    need: RoomNeed,
  ): Promise<{ room: RoomRow } | Refused> => {
    const checked = check(await standingByCode(db, kind, code, caller.uid, clock.now()), need);
    return 'ok' in checked ? checked : { room: checked.standing.room };
  };
}
