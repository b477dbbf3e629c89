/**
 * Rooms: creating, looking up, leaving and ending. The host's leave ends the room for everyone, in one transaction with
 * its chat and playback.
 */
import {
  hostStream,
  limits,
  userStream,
  type Payload,
  roomKinds,
  roomStream,
  type RoomKind,
  type StreamId,
  type Uid,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Member, RoomRow } from '../access/subjects.ts';
import { accept, type Clock, type Ids, type Log, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { isDuplicate } from '../storage/failures.ts';
import { once } from '../storage/idempotency.ts';
import { personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { pendingRequests, removeRequest } from './requests-store.ts';
import {
  abandonedRooms,
  addMember,
  closeRoom,
  forgetRooms,
  insertRoom,
  liveRoomsOf,
  removeMember,
  roomById,
  roomsJoinedBy,
} from './rooms-store.ts';
import { membershipAgain } from './membership.ts';

/** A dropped host has this long to come back (HOST-11). */
const hostGraceMs = 15 * 60 * 1000;
/** A room in which nobody is connected ends after a day. */
const emptyGraceMs = 24 * 60 * 60 * 1000;
const memoryOfEndedRoomsMs = 24 * 60 * 60 * 1000;
const codeAttempts = 8;

export interface RoomsDeps {
  record: StreamRecord;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Creates the playback document of a new room inside its transaction. */
  startPlayback: (writing: Writing, kind: RoomKind, roomId: RoomRow['roomId']) => Promise<void>;
  /** Takes the connections of this person (null: of everyone) out of the room, within the write that unseats them. */
  removeFromRoom: (db: Writing['db'], room: RoomRow, uid: Uid | null) => Promise<void>;
}

export function roomsService(deps: RoomsDeps) {
  const { record, clock, ids, log, startPlayback } = deps;

  async function create(caller: Caller, payload: Payload<'rooms/create'>) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tryToCreate(caller, payload);
      } catch (error) {
        // The code belongs to another live room: draw again.
        if (attempt === codeAttempts || !isDuplicate(error)) throw error;
      }
    }
  }

  function tryToCreate(caller: Caller, payload: Payload<'rooms/create'>) {
    const { kind, name, clientId } = payload;
    return record.write([userStream(caller.uid)], (writing) =>
      once(writing, caller.uid, clientId, ['rooms/create', kind, name], async () => {
        // The account may be going on another tab: its rooms are ended once, after this can't happen any more.
        if (!(await personOf(writing.db, caller.uid))) return refuse('auth/required');
        const counts = await Promise.all(roomKinds.map((each) => liveRoomsOf(writing.db, each, caller.uid)));
        if (counts.flat().length >= limits.liveRoomsPerHost) return refuse('room/too-many-live-rooms');
        const room: RoomRow = {
          kind,
          name,
          roomId: ids.newId() as RoomRow['roomId'],
          code: ids.newRoomCode() as RoomRow['code'],
          host: caller.uid,
          createdAtMs: writing.nowMs,
          isActive: true,
          hostAwaySinceMs: null,
          emptySinceMs: writing.nowMs,
        };
        await insertRoom(writing.db, room);
        await addMember(writing.db, kind, room.roomId, caller.uid, writing.nowMs);
        await startPlayback(writing, kind, room.roomId);
        log.info({ kind, roomId: room.roomId, uid: caller.uid }, 'room.created');
        return accept({ code: room.code });
      }),
    );
  }

  async function leave({ room, role, caller, write }: Member): Promise<Outcome<Record<string, never>>> {
    const others = role === 'host' ? (db: Kysely<Schema>) => streamsOfEnd(db, room, clock.now()) : [];
    return await write(others, async (writing, now) => {
      if (now.role === 'host') await end(deps, writing, room, 'host-left');
      else await giveUpMembership(deps, writing, room, caller.uid);
      return accept({});
    });
  }

  /** Ends one room if `stillDue` (read inside the transaction) says so. */
  async function endIf(room: RoomRow, reason: string, stillDue: (room: RoomRow) => boolean): Promise<void> {
    await record.write(
      (db) => streamsOfEnd(db, room, clock.now()),
      async (writing) => {
        const now = await roomById(writing.db, room.kind, room.roomId);
        if (now?.isActive && stillDue(now)) await end(deps, writing, now, reason);
      },
    );
  }

  /** Ends what was left behind: hosts gone for 15 minutes, rooms empty for a day. Runs on a timer in every process. */
  async function sweep(): Promise<void> {
    const nowMs = clock.now();
    const before = { hostAwayMs: nowMs - hostGraceMs, emptyMs: nowMs - emptyGraceMs };
    for (const kind of roomKinds) {
      for (const room of await abandonedRooms(record.db, kind, before)) {
        await endIf(room, 'abandoned', (again) => {
          const isHostGone = again.hostAwaySinceMs !== null && again.hostAwaySinceMs <= before.hostAwayMs;
          return isHostGone || (again.emptySinceMs !== null && again.emptySinceMs <= before.emptyMs);
        });
      }
      await forgetRooms(record.db, kind, nowMs - memoryOfEndedRoomsMs);
    }
  }

  /** When an account goes: its rooms end, its seats are given up. */
  async function removePerson(uid: Uid): Promise<void> {
    for (const kind of roomKinds) {
      for (const room of await liveRoomsOf(record.db, kind, uid)) await endIf(room, 'account-deleted', () => true);
      for (const room of await roomsJoinedBy(record.db, kind, uid)) {
        await record.write([roomStream(room.roomId)], (writing) => giveUpMembership(deps, writing, room, uid));
      }
    }
  }

  return {
    handlers: {
      'rooms/create': create,
      'rooms/lookUp': ({ room, role }) =>
        Promise.resolve(accept({ kind: room.kind, code: room.code, isHost: role === 'host' })),
      'rooms/leave': leave,
    } satisfies Partial<Handlers>,
    sweep,
    removePerson,
    dismissal: dismissalFrom(deps),
  };
}

async function giveUpMembership(
  { removeFromRoom }: RoomsDeps,
  writing: Writing,
  room: RoomRow,
  uid: Uid,
): Promise<void> {
  await removeMember(writing.db, room.kind, room.roomId, uid);
  await removeRequest(writing.db, room.kind, room.roomId, uid);
  await removeFromRoom(writing.db, room, uid);
  await writing.append(roomStream(room.roomId), { type: 'rooms/participantLeft', uid }, { expels: uid });
}

/** The room, its host's, and those of everyone who waits for an answer. */
async function streamsOfEnd(db: Kysely<Schema>, room: RoomRow, nowMs: number): Promise<StreamId[]> {
  const waiting = await pendingRequests(db, room.kind, room.roomId, nowMs);
  return [roomStream(room.roomId), hostStream(room.roomId), ...waiting.map(({ uid }) => userStream(uid))];
}

async function end({ removeFromRoom, log }: RoomsDeps, writing: Writing, room: RoomRow, reason: string): Promise<void> {
  const waiting = await pendingRequests(writing.db, room.kind, room.roomId, writing.nowMs);
  await closeRoom(writing.db, room.kind, room.roomId, writing.nowMs);
  await removeFromRoom(writing.db, room, null);
  const followed = [roomStream(room.roomId), hostStream(room.roomId)];
  await writing.append(followed, { type: 'rooms/ended' }, { expels: 'everyone' });
  const answer = { type: 'rooms/requestAnswered', kind: room.kind, code: room.code, answer: 'ended' } as const;
  await writing.append(
    waiting.map(({ uid }) => userStream(uid)),
    answer,
  );
  log.info({ kind: room.kind, roomId: room.roomId, reason }, 'room.ended');
}

async function liveRoomsHostedBy(db: Kysely<Schema>, host: Uid): Promise<RoomRow[]> {
  return (await Promise.all(roomKinds.map((kind) => liveRoomsOf(db, kind, host)))).flat();
}

/** Takes somebody out of the live rooms of `host`, seated or waiting: the streams it touches, and the doing. */
const dismissalFrom = (deps: RoomsDeps) => ({
  streams: async (db: Kysely<Schema>, host: Uid): Promise<StreamId[]> =>
    (await liveRoomsHostedBy(db, host)).flatMap(({ roomId }) => [roomStream(roomId), hostStream(roomId)]),

  async apply(writing: Writing, host: Uid, guest: Uid): Promise<void> {
    for (const room of await liveRoomsHostedBy(writing.db, host)) {
      const now = await membershipAgain(writing.db, room, guest, writing.nowMs);
      if (now?.role === 'participant') await giveUpMembership(deps, writing, room, guest);
      // The request itself stays: somebody who is blocked waits as before and is not told.
      if (now?.role === 'pending' && now.request) await hideRequest(writing, room, guest, now.request.askedAtMs);
    }
  },
});

async function hideRequest(writing: Writing, room: RoomRow, uid: Uid, askedAt: number): Promise<void> {
  const request = { uid, name: '', status: null, askedAt };
  await writing.append(hostStream(room.roomId), { type: 'rooms/requestChanged', request });
}
