/**
 * Composes rooms: membership, requests to join, room chat and the room as its members see it.
 */
import { type RoomKind, roomKinds, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { AccountHook } from './accounts/accounts-deps.ts';
import { isBlocked } from './chats/blocks-store.ts';
import { readPlaybackDocument } from './playback/playback-store.ts';
import type { Clock, Ids, Log, Notify } from './ports.ts';
import { occupancyOf, removeFromRoom } from './presence/connections-store.ts';
import { type HandOverDeps, handOverService } from './rooms/hand-over-service.ts';
import { answersService } from './rooms/answers-service.ts';
import { orderService } from './rooms/order-service.ts';
import { occupancyService } from './rooms/occupancy-service.ts';
import { membershipsOf, ownInvitations, ownRequests, ownRoomMessages, ownRoomStamps } from './rooms/own-rooms.ts';
import { type RequestsDeps, requestsService } from './rooms/requests-service.ts';
import { roomChatOrder } from './rooms/room-chat-order-service.ts';
import { roomChatService } from './rooms/room-chat-service.ts';
import { type RoomViewDeps, roomViewService } from './rooms/room-view-service.ts';
import { yourRoomsService } from './rooms/your-rooms-service.ts';
import { roomEndings } from './rooms/room-endings.ts';
import { type RoomsDeps, roomsService } from './rooms/rooms-service.ts';
import { liveRoomsOfPeople as roomsOf } from './rooms/room-members-store.ts';
import { roomsHostedBy } from './rooms/rooms-store.ts';
import { memberResolver } from './rooms/membership.ts';
import { soulmateOf } from './soulmate/soulmate-store.ts';
import { personOf } from './storage/people.ts';
import type { StreamRecord } from './storage/record.ts';
import type { Schema } from './storage/schema.ts';
import { connect } from './tunemates/tunemate-lists.ts';
import { isTunemate } from './tunemates/tunemates-store.ts';

type Db = Kysely<Schema>;

/** What a room needs of the connections that follow it. */
export type RoomConnections = Pick<RoomViewDeps, 'subscribe' | 'unsubscribe' | 'moveTo'>;

export interface RoomParts {
  record: StreamRecord;
  clock: Clock;
  ids: Ids;
  log: Log;
  startPlayback: RoomsDeps['startPlayback'];
  giveControl: HandOverDeps['giveControl'];
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

/** Presence as participants show it. */
async function participantOf(db: Db, uid: Uid) {
  const person = await personOf(db, uid);
  return person && { uid, name: person.name, online: person.presence.state === 'online' };
}

/** The soulmate and the people on one's own lists. */
async function isFriend(db: Db, uid: Uid, other: Uid): Promise<boolean> {
  return (await isTunemate(db, uid, other)) || (await soulmateOf(db, uid)) === other;
}

export function createRooms(parts: RoomParts) {
  const { record, clock, ids, log, startPlayback, giveControl, takeFromRoom, notify, connections } = parts;
  const { db } = record;
  const rooms = roomsService({ record, clock, ids, log, startPlayback, removeFromRoom });
  const endings = roomEndings({ record, clock, log, removeFromRoom });
  const handOvers = handOverService({ log, removeFromRoom, occupancyOf, giveControl });
  const order = orderService({ log, removeFromRoom });
  const door = { record, clock, log, personOf: participantOf, meet: connect, isBlocked };
  const requests = requestsService({ ...door, isFriend, takeFromRoom, notify });
  const answers = answersService(door);
  const chat = roomChatService({ record, ids });
  const view = roomViewService({ record, clock, playbackOf: readPlaybackDocument, isBlocked, ...connections });
  const yourRooms = yourRoomsService({ db, clock, playbackOf: readPlaybackDocument });
  const occupancy = occupancyService({ record, log, occupancyOf });
  const accountHook: AccountHook = {
    onDeleting: endings.removePerson,
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
    },
  };

  return {
    handlers: {
      ...rooms.handlers,
      ...handOvers.handlers,
      ...order.handlers,
      ...requests.handlers,
      ...answers.handlers,
      ...chat.handlers,
      ...roomChatOrder.handlers,
      ...view.handlers,
      ...yourRooms.handlers,
    },
    resolve: memberResolver(record, clock),
    dismissal: endings.dismissal,
    occupancyChanged: occupancy.occupancyChanged,
    roomsOf,
    sweep: endings.sweep,
    lapse: requests.lapse,
    accountHook,
  };
}
