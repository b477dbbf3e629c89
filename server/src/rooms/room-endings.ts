/**
 * How memberships and rooms end: by leaving, by a block, after a time without host or without anybody, and when an
 * account is deleted. A room ends in one transaction with its chat and playback.
 */
import { hostStream, userStream, roomKinds, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../access/subjects.ts';
import type { Clock, Log } from '../ports.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { forgetOfferTo } from './hand-over-store.ts';
import { forgetInvitation, forgetInvitationsOf, invitedTo } from './invitations-store.ts';
import { membershipAgain } from './membership.ts';
import { pendingRequests, removeRequest } from './requests-store.ts';
import { removeStampsOf } from './room-stamps-store.ts';
import {
  abandonedRooms,
  closeRoom,
  forgetRooms,
  liveRoomsOf,
  removeMember,
  roomById,
  roomsJoinedBy,
} from './rooms-store.ts';

/** How long a host who lost the connection may stay away before the room ends. */
const hostGraceMs = 15 * 60 * 1000;
/** A room in which nobody is connected ends after a day. */
const emptyGraceMs = 24 * 60 * 60 * 1000;
const memoryOfEndedRoomsMs = 24 * 60 * 60 * 1000;

export interface RoomEndingsDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /**
   * Takes the connections of this person (null: of everyone) out of the room, in the write that ends the membership.
   */
  removeFromRoom: (db: Writing['db'], room: RoomRow, uid: Uid | null) => Promise<void>;
}

export function roomEndings(deps: RoomEndingsDeps) {
  const { record, clock } = deps;

  /** Ends one room if `stillDue` (read inside the transaction) says so. */
  async function endIf(room: RoomRow, reason: string, stillDue: (room: RoomRow) => boolean): Promise<void> {
    await record.write(
      (db) => streamsOfEnd(db, room, clock.now()),
      async (writing) => {
        const now = await roomById(writing.db, room.kind, room.roomId);
        if (now?.isActive && stillDue(now)) await endRoom(deps, writing, now, reason);
      },
    );
  }

  /** Ends abandoned rooms: without their host for 15 minutes, or empty for a day. Runs on a timer in every process. */
  async function sweep(): Promise<void> {
    const nowMs = clock.now();
    const before = { hostAwayMs: nowMs - hostGraceMs, emptyMs: nowMs - emptyGraceMs };
    for (const kind of roomKinds) {
      for (const room of await abandonedRooms(record.db, kind, before)) {
        await endIf(room, 'abandoned', (again) => {
          const isHostAway = again.hostAwaySinceMs !== null && again.hostAwaySinceMs <= before.hostAwayMs;
          return isHostAway || (again.emptySinceMs !== null && again.emptySinceMs <= before.emptyMs);
        });
      }
      await forgetRooms(record.db, kind, nowMs - memoryOfEndedRoomsMs);
    }
  }

  /** For a deleted account: ends the rooms it hosts and its memberships in others. */
  async function removePerson(uid: Uid): Promise<void> {
    await forgetInvitationsOf(record.db, uid);
    for (const kind of roomKinds) {
      for (const room of await roomsJoinedBy(record.db, kind, uid)) {
        await record.write(
          (db) => streamsOfEnd(db, room, clock.now()),
          async (writing) => {
            // A room may be handed over between the list and here.
            const now = await roomById(writing.db, kind, room.roomId);
            if (now?.isActive && now.host === uid) await endRoom(deps, writing, now, 'account-deleted');
            else if (now?.isActive) await giveUpMembership(deps, writing, now, uid);
          },
        );
      }
      await removeStampsOf(record.db, kind, uid);
    }
  }

  return { sweep, removePerson, dismissal: dismissalFrom(deps) };
}

export async function giveUpMembership(
  { removeFromRoom }: Pick<RoomEndingsDeps, 'removeFromRoom'>,
  writing: Writing,
  room: RoomRow,
  uid: Uid,
  removed?: 'for-now' | 'for-good',
): Promise<void> {
  await removeMember(writing.db, room.kind, room.roomId, uid);
  await removeRequest(writing.db, room.kind, room.roomId, uid);
  await removeFromRoom(writing.db, room, uid);
  if (await forgetOfferTo(writing.db, room, uid)) {
    await writing.append(roomStream(room.roomId), { type: 'rooms/handOver', handOver: null });
  }
  const left = { type: 'rooms/participantLeft', uid, ...(removed && { removed }) } as const;
  await writing.append(roomStream(room.roomId), left, { expels: uid });
}

/** The streams that the end of a room appends to: the room's, its host's, and those of everyone who asked or was invited. */
export async function streamsOfEnd(db: Kysely<Schema>, room: RoomRow, nowMs: number): Promise<StreamId[]> {
  const waiting = await pendingRequests(db, room.kind, room.roomId, nowMs);
  const told = [...waiting.map(({ uid }) => uid), ...(await invitedTo(db, room.roomId))];
  return [roomStream(room.roomId), hostStream(room.roomId), ...told.map((uid) => userStream(uid))];
}

export async function endRoom(
  { removeFromRoom, log }: Pick<RoomEndingsDeps, 'removeFromRoom' | 'log'>,
  writing: Writing,
  room: RoomRow,
  reason: string,
): Promise<void> {
  const waiting = await pendingRequests(writing.db, room.kind, room.roomId, writing.nowMs);
  const invited = await invitedTo(writing.db, room.roomId);
  await closeRoom(writing.db, room.kind, room.roomId, writing.nowMs);
  await removeFromRoom(writing.db, room, null);
  const followed = [roomStream(room.roomId), hostStream(room.roomId)];
  await writing.append(followed, { type: 'rooms/ended' }, { expels: 'everyone' });
  const answer = { type: 'rooms/requestAnswered', kind: room.kind, code: room.code, answer: 'ended' } as const;
  await writing.append(
    waiting.map(({ uid }) => userStream(uid)),
    answer,
  );
  await writing.append(
    invited.map((uid) => userStream(uid)),
    { type: 'notifications/roomEnded', kind: room.kind, code: room.code },
  );
  log.info({ kind: room.kind, roomId: room.roomId, reason }, 'room.ended');
}

async function liveRoomsHostedBy(db: Kysely<Schema>, host: Uid): Promise<RoomRow[]> {
  return (await Promise.all(roomKinds.map((kind) => liveRoomsOf(db, kind, host)))).flat();
}

/**
 * For a block: takes a guest, member or waiting, out of the live rooms of `host`; `streams` are those it appends to.
 */
const dismissalFrom = (deps: RoomEndingsDeps) => ({
  streams: async (db: Kysely<Schema>, host: Uid): Promise<StreamId[]> =>
    (await liveRoomsHostedBy(db, host)).flatMap(({ roomId }) => [roomStream(roomId), hostStream(roomId)]),

  async apply(writing: Writing, host: Uid, guest: Uid): Promise<void> {
    for (const room of await liveRoomsHostedBy(writing.db, host)) {
      await forgetInvitation(writing.db, room.roomId, guest);
      const now = await membershipAgain(writing.db, room, guest, writing.nowMs);
      if (now?.role === 'participant') await giveUpMembership(deps, writing, room, guest);
      // The request itself stays, so that the guest can't see that they are blocked.
      if (now?.role === 'pending' && now.request) await hideRequest(writing, room, guest, now.request.askedAtMs);
    }
  },
});

async function hideRequest(writing: Writing, room: RoomRow, uid: Uid, askedAt: number): Promise<void> {
  const request = { uid, name: '', status: null, askedAt };
  await writing.append(hostStream(room.roomId), { type: 'rooms/requestChanged', request });
}
