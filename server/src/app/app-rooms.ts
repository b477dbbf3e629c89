/**
 * Composes rooms: membership, requests to join, room chat and the room as its members see it.
 */
import { hostAwayMessage, operatorName, roomEndsMessage } from '@tunemate/domain';
import { type RoomKind, roomKinds, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../access/subjects.ts';
import type { AccountHook } from '../accounts/accounts-deps.ts';
import { deliver, streamsOfDelivery, withdraw } from '../notifications/notifications.ts';
import { blockedAmong } from '../people/blocks.ts';
import { findNotificationFrom } from '../notifications/notifications-store.ts';
import { readPlaybackDocument } from '../playback/playback-document.ts';
import { deleteSkipVotesOf, skipVotesIn } from '../playback/skip-votes.ts';
import type { Clock, Ids, Log, Notify } from '../system/ports.ts';
import { occupancyColumns, occupancyOf, removeFromRoom } from '../presence/connections-store.ts';
import { type HandOverDeps, handOverService } from '../rooms/hosting/hand-over-service.ts';
import { answersService } from '../rooms/join/answers-service.ts';
import { invitationsService } from '../rooms/join/invitations.ts';
import { moderationService } from '../rooms/hosting/moderation-service.ts';
import { occupancyService } from '../rooms/lifecycle/occupancy-service.ts';
import {
  membershipsOf,
  ownInvitations,
  ownProposalVotes,
  ownRequests,
  ownRoomMessages,
  ownRoomStamps,
} from '../rooms/lifecycle/own-rooms.ts';
import { dismissalFrom } from '../rooms/hosting/removals.ts';
import { type RequestsDeps, requestsService } from '../rooms/join/requests-service.ts';
import { type ProposalsDeps, proposalsService } from '../rooms/proposals/proposals-service.ts';
import { sentMessages } from '../rooms/chat/sent-messages-service.ts';
import { roomChatService } from '../rooms/chat/room-chat-service.ts';
import { type RoomViewDeps, roomViewService } from '../rooms/members/room-view-service.ts';
import { yourRoomsService } from '../rooms/lifecycle/your-rooms-service.ts';
import { type HostNews, roomEndings, type LeavingDeps } from '../rooms/lifecycle/room-endings.ts';
import { type RoomsDeps, roomsService } from '../rooms/lifecycle/rooms-service.ts';
import { liveRoomsOfPeople as roomsOf } from '../rooms/members/room-members-store.ts';
import { rosterService } from '../rooms/members/roster-service.ts';
import { roomsHostedBy } from '../rooms/lifecycle/rooms-store.ts';
import { memberResolver } from '../rooms/members/membership.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { RoomRef, Schema } from '../storage/schema.ts';
import { connect } from '../tunemates/tunemates.ts';

type Db = Kysely<Schema>;

/** What a room needs of the connections that follow it. */
export type RoomConnections = Pick<RoomViewDeps, 'subscribe' | 'unsubscribe' | 'moveTo'>;

export interface RoomParts extends Omit<LeavingDeps, 'removeFromRoom'> {
  record: StreamRecord;
  clock: Clock;
  ids: Ids;
  log: Log;
  startPlayback: RoomsDeps['startPlayback'];
  giveControl: HandOverDeps['giveControl'];
  /** What is still to come in the queue, and adding to it. */
  queue: Pick<ProposalsDeps, 'waitingIn' | 'enqueue'>;
  takeFromRoom: RequestsDeps['takeFromRoom'];
  notify: Notify;
  connections: RoomConnections;
}

const ofBothKinds = async <T>(read: (kind: RoomKind) => Promise<T[]>): Promise<T[]> =>
  (await Promise.all(roomKinds.map(read))).flat();

const roomStreamsOf = async (db: Db, uid: Uid): Promise<StreamId[]> =>
  ((await roomsOf(db, [uid])).get(uid) ?? []).map(({ roomId }) => roomStream(roomId));

/** The rooms that this person opened, for their export. */
async function hostedRoomsOf(db: Db, uid: Uid) {
  const rooms = await ofBothKinds((kind) => roomsHostedBy(db, kind, uid));
  return rooms.map(({ kind, code, name, createdAtMs, isActive }) => ({ kind, code, name, createdAtMs, isActive }));
}

/** Into the inbox of a host who is away from their room, or was when it ended. No person sent it. */
function hostNews(ids: Ids): HostNews {
  const tell = (writing: Writing, { roomId, kind, code, name, host }: RoomRow, isOver: boolean): Promise<void> =>
    deliver(
      writing,
      ids,
      host,
      {
        type: 'host-away',
        message: isOver ? hostAwayMessage(name) : roomEndsMessage(name),
        senderName: operatorName,
        senderUid: host,
        room: { kind, code, name, letsInUntil: null, hasEnded: isOver },
      },
      roomId,
    );
  return {
    streams: streamsOfDelivery,
    warn: (writing, room) => tell(writing, room, false),
    ended: (writing, room) => tell(writing, room, true),
    async takeBack(writing, { roomId, host }) {
      const warning = await findNotificationFrom(writing.db, host, host, 'host-away', roomId);
      if (warning !== null) await withdraw(writing, host, warning.id);
    },
  };
}

export function createRooms(parts: RoomParts) {
  const { record, clock, ids, log, startPlayback, giveControl, queue, takeFromRoom, notify, connections } = parts;
  const { db } = record;
  const { guestsChanged, forgetSkipVoteOf } = parts;
  const leaving = { removeFromRoom, guestsChanged, forgetSkipVoteOf };
  const ends = { record, clock, log, ...leaving, hostNews: hostNews(ids), occupancyColumns };
  const rooms = roomsService({ ...ends, ids, startPlayback });
  const endings = roomEndings(ends);
  const handOvers = handOverService({ log, ...leaving, occupancyOf, giveControl });
  const moderation = moderationService({ log, ...leaving });
  const answering = { record, clock, log, meet: connect };
  const requests = requestsService({ ...answering, takeFromRoom, notify });
  const invitations = invitationsService({ ids, notify });
  const answers = answersService(answering);
  const chat = roomChatService({ record, ids });
  const proposals = proposalsService({ ids, ...queue });
  const view = roomViewService({
    record,
    clock,
    playbackOf: readPlaybackDocument,
    skipVotesOf: skipVotesIn,
    blockedAmong,
    ...connections,
  });
  const roster = rosterService({ record });
  const yourRooms = yourRoomsService({ db, playbackOf: readPlaybackDocument });
  const occupancy = occupancyService(ends);
  const accountHook: AccountHook = {
    async onDeleting(uid) {
      await endings.removePerson(uid);
      await deleteSkipVotesOf(db, uid);
    },
    streamsOfRename: roomStreamsOf,
    onRenaming: async (writing, uid, name) =>
      await writing.append(await roomStreamsOf(writing.db, uid), { type: 'rooms/participantRenamed', uid, name }),
    exports: {
      roomsHosted: (uid) => hostedRoomsOf(db, uid),
      roomsJoined: (uid) => membershipsOf(db, uid),
      joinRequests: (uid) => ownRequests(db, uid),
      roomInvitations: (uid) => ownInvitations(db, uid),
      roomMessages: (uid) => ownRoomMessages(db, uid),
      roomStamps: (uid) => ownRoomStamps(db, uid),
      proposalVotes: (uid) => ownProposalVotes(db, uid),
    },
  };

  return {
    handlers: {
      ...rooms.handlers,
      ...handOvers.handlers,
      ...moderation.handlers,
      ...requests.handlers,
      ...invitations.handlers,
      ...answers.handlers,
      ...chat.handlers,
      ...proposals.handlers,
      ...sentMessages.handlers,
      ...view.handlers,
      ...roster.handlers,
      ...yourRooms.handlers,
    },
    resolve: memberResolver(record, clock),
    dismissal: dismissalFrom(leaving),
    /** What presence needs of rooms. */
    presence: {
      roomsOf,
      occupancyChanged: occupancy.occupancyChanged,
      onlineChangedIn: (those: readonly RoomRef[]) => those.forEach(guestsChanged),
    },
    sweep: endings.sweep,
    endNow: endings.endNow,
    leaveAll: endings.leaveAll,
    lapse: requests.lapse,
    accountHook,
  };
}
