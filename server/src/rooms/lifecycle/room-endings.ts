/**
 * How memberships and rooms end: by leaving, after a time without a host or without people, and when an
 * account is deleted. A room ends in one transaction with its chat and playback.
 */
import { hostStream, userStream, roomKinds, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { RoomRow } from '../../access/subjects.ts';
import { notifyHost, roomsToWarnOf, streamsOfWarning, warnHost, withdrawWarning } from './host-absence.ts';
import { type DeliveryDeps, streamsOfDelivery } from '../../notifications/notifications.ts';
import { deleteSkipVotesOf, forgetSkipVoteOf } from '../../playback/skip-votes.ts';
import { removeFromRoom } from '../../presence/connections-store.ts';
import type { HearingService } from '../../presence/hearing.ts';
import type { Db, RoomRef } from '../../storage/schema.ts';
import type { Clock, Log } from '../../system/ports.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import { forgetHistoriesOf, forgetProposerOf, forgetUnkept, keepHistories } from '../history/history-store.ts';
import { forgetInvitation, forgetInvitationsOf, invitedTo, roomsInvitedTo } from '../join/invitations.ts';
import { forgetVotesOf } from '../proposals/proposals.ts';
import { dropRemoteOf } from '../hosting/remote.ts';
import { hideRequest } from '../join/join-requests.ts';
import { pendingRequests, removeRequest, requestsBy } from '../join/join-requests-store.ts';
import { removeStampsOf } from '../chat/stamps-store.ts';
import { countPeople } from '../members/roster.ts';
import { forgetEndedRoomsOf, keepEndedRoom } from './ended-rooms.ts';
import {
  abandonedRooms,
  closeRoom,
  forgetOfferTo,
  forgetRooms,
  type Occupied,
  occupiedRoom,
  removeMember,
  roomById,
  roomsJoinedBy,
} from './rooms-store.ts';

/** How long a host who lost the connection may stay away before the room ends. */
export const hostGraceMs = 15 * 60 * 1000;
/** How long before that the host is warned. */
const warningMs = 5 * 60 * 1000;
/** A room in which no person is connected ends after a day. */
const emptyGraceMs = 24 * 60 * 60 * 1000;
const memoryOfEndedRoomsMs = 24 * 60 * 60 * 1000;

/** What the end of a membership or of a room depends on. */
export interface EndingDeps extends DeliveryDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** After the commit of a change in which guests are present, or in what their votes decide. */
  guestsChanged: (room: RoomRef) => void;
  hearing: Pick<HearingService, 'left'>;
}

/** Who is connected is stored before the room says so: a host who is back already keeps the room. */
function isAbandoned(
  { room: { hostAwaySinceMs, emptySinceMs, housePlays }, isHostHere, isAnybody }: Occupied,
  before: { hostAwayMs: number; emptyMs: number },
): boolean {
  // Left to the house it needs no host, and a person instead.
  if (housePlays) return !isAnybody && emptySinceMs !== null && emptySinceMs <= before.hostAwayMs;
  const isHostAway = !isHostHere && hostAwaySinceMs !== null && hostAwaySinceMs <= before.hostAwayMs;
  return isHostAway || (!isAnybody && emptySinceMs !== null && emptySinceMs <= before.emptyMs);
}

/** Not one that is left to the house and has people inside. */
const mayBeOver = ({ housePlays, emptySinceMs }: RoomRow): boolean => !housePlays || emptySinceMs !== null;

export type RoomEndings = ReturnType<typeof roomEndings>;

export function roomEndings(deps: EndingDeps) {
  const { record, clock } = deps;

  /** Ends one room if `stillDue` (of what is read inside the transaction) says so, and notifies its host of then. */
  async function endAbandoned(room: RoomRow, stillDue: (found: Occupied) => boolean): Promise<void> {
    await record.write(
      async (db) => {
        const host = (await roomById(db, room))?.host ?? room.host;
        return [...(await streamsOfEnd(db, room, clock.now())), ...(await streamsOfDelivery(db, host))];
      },
      async (writing) => {
        const now = await occupiedRoom(writing.db, room);
        if (!now?.room.isActive || !stillDue(now)) return;
        await endRoom(deps, writing, now.room, 'abandoned');
        await notifyHost(writing, deps, now.room, true);
      },
    );
  }

  /**
   * Ends abandoned rooms: without their host for 15 minutes, left to the house and empty for as long, or empty for a day;
   * warns hosts before that. Forgets ended ones, unless ages are in doubt. Runs on a timer in every process.
   */
  async function sweep(areAgesHeld = false): Promise<void> {
    const nowMs = clock.now();
    const before = { hostAwayMs: nowMs - hostGraceMs, emptyMs: nowMs - emptyGraceMs };
    for (const kind of roomKinds) {
      for (const room of (await abandonedRooms(record.db, kind, before)).filter(mayBeOver)) {
        await endAbandoned(room, (found) => isAbandoned(found, before));
      }
      for (const room of await roomsToWarnOf(record.db, kind, before.hostAwayMs + warningMs))
        if (!room.housePlays) await warnHost(deps, room);
      if (!areAgesHeld) await forgetRooms(record.db, kind, nowMs - memoryOfEndedRoomsMs);
    }
  }

  /** Ends the live rooms that this person hosts and their memberships in others, as if they had left them all. */
  async function leaveAll(uid: Uid, reason: 'account-deleted' | 'account-disabled'): Promise<void> {
    for (const kind of roomKinds) {
      for (const room of await roomsJoinedBy(record.db, kind, uid)) {
        await record.write(
          (db) => streamsOfEnd(db, room, clock.now()),
          async (writing) => {
            // A room may be handed over between the list and here.
            const now = await roomById(writing.db, room);
            if (now?.isActive && now.host === uid) await endRoom(deps, writing, now, reason);
            else if (now?.isActive) await giveUpMembership(deps, writing, now, uid);
          },
        );
      }
    }
  }

  /** For a deleted account. */
  async function removePerson(uid: Uid): Promise<void> {
    await endInvitations(record, uid);
    await leaveAll(uid, 'account-deleted');
    await forgetTracesOf(record, uid);
    await deleteSkipVotesOf(record.db, uid);
    await forgetHistoriesOf(record.db, uid);
    await forgetProposerOf(record.db, uid);
  }

  /** For the operator: ends a live room at once. `alsoWrite` joins the write. */
  async function endNow(room: RoomRow, alsoWrite: (writing: Writing) => Promise<void>): Promise<boolean> {
    return await record.write(
      (db) => streamsOfEnd(db, room, clock.now()),
      async (writing) => {
        const now = await roomById(writing.db, room);
        if (!now?.isActive) return false;
        await endRoom(deps, writing, now, 'operator');
        await withdrawWarning(writing, now);
        await alsoWrite(writing);
        return true;
      },
    );
  }

  return { sweep, leaveAll, removePerson, endNow };
}

/** Of a deleted account; a person who is invited may hold the remote. */
async function endInvitations(record: StreamRecord, uid: Uid): Promise<void> {
  for (const room of await roomsInvitedTo(record.db, uid)) {
    await record.write([roomStream(room.roomId), hostStream(room.roomId)], async (writing) => {
      const now = await roomById(writing.db, room);
      await forgetInvitation(writing.db, room.roomId, uid);
      if (now?.isActive) await dropRemoteOf(writing, now, uid);
    });
  }
  await forgetInvitationsOf(record.db, uid);
}

/** What a deleted account has left in rooms of others and in those that ended: its stamps, and its name where it asked to join or was there last. */
async function forgetTracesOf(record: StreamRecord, uid: Uid): Promise<void> {
  for (const kind of roomKinds) {
    for (const { roomId, askedAtMs } of await requestsBy(record.db, kind, uid)) {
      await record.write([roomStream(roomId), hostStream(roomId)], async (writing) => {
        await removeRequest(writing.db, { kind, roomId }, uid);
        if ((await roomById(writing.db, { kind, roomId }))?.isActive)
          await hideRequest(writing, roomId, uid, askedAtMs);
      });
    }
    await removeStampsOf(record.db, kind, uid);
  }
  await forgetEndedRoomsOf(record.db, uid);
}

export async function giveUpMembership(
  { guestsChanged, hearing }: Pick<EndingDeps, 'guestsChanged' | 'hearing'>,
  writing: Writing,
  room: RoomRow,
  uid: Uid,
  removed?: 'for-now' | 'for-good',
): Promise<void> {
  await forgetVotesOf(writing, room, uid);
  await forgetSkipVoteOf(writing, room, uid);
  await dropRemoteOf(writing, room, uid);
  await keepHistories(writing.db, room, uid, writing.nowMs);
  await removeMember(writing.db, room, uid);
  await removeRequest(writing.db, room, uid);
  await hearing.left(writing, room, await removeFromRoom(writing.db, room, uid));
  if (await forgetOfferTo(writing.db, room, uid)) {
    await writing.append(roomStream(room.roomId), { type: 'rooms/handOver', handOver: null });
  }
  const people = await countPeople(writing.db, room);
  const left = { type: 'rooms/participantLeft', uid, people, ...(removed && { removed }) } as const;
  await writing.append(roomStream(room.roomId), left, { expels: uid });
  writing.afterCommit(() => guestsChanged(room));
}

/**
 * The streams that the end of a room appends to: the room's, its host's, and those of the people who asked, were
 * invited or warned.
 */
export async function streamsOfEnd(db: Db, room: RoomRef, nowMs: number): Promise<StreamId[]> {
  const waiting = await pendingRequests(db, room, nowMs);
  const notified = [...waiting.map(({ uid }) => uid), ...(await invitedTo(db, room.roomId))];
  const people = notified.map((uid) => userStream(uid));
  return [roomStream(room.roomId), hostStream(room.roomId), ...people, ...(await streamsOfWarning(db, room))];
}

type EndReason = 'abandoned' | 'account-deleted' | 'account-disabled' | 'operator' | 'host-left';

/** What an operator ended stays so, and a host who is gone opens nothing. */
const opensAgain = (reason: EndReason): boolean => reason === 'abandoned' || reason === 'host-left';

export async function endRoom(
  { log, hearing }: Pick<EndingDeps, 'log' | 'hearing'>,
  writing: Writing,
  room: RoomRow,
  reason: EndReason,
): Promise<void> {
  const waiting = await pendingRequests(writing.db, room, writing.nowMs);
  const invited = await invitedTo(writing.db, room.roomId);
  await keepHistories(writing.db, room, null, writing.nowMs);
  if (opensAgain(reason)) await keepEndedRoom(writing, room);
  await closeRoom(writing.db, room, writing.nowMs);
  await forgetUnkept(writing.db, [room.roomId]);
  await hearing.left(writing, room, await removeFromRoom(writing.db, room, null));
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
