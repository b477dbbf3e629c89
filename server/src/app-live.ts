/**
 * Everything that happens over the socket, put together: the record rings the doorbell, the feed reads what is new, the
 * hub delivers it; requests come in through one dispatcher. Part of the composition: knows all words, decides nothing.
 */
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import {
  ownStream,
  type RoomKind,
  roomKinds,
  roomStream,
  type StreamId,
  type Uid,
  type UserDocument,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Limits } from './access/limits.ts';
import type { SessionOfCookie } from './access/session.ts';
import type { Background } from './background.ts';
import { catalogueHandlers, type SearchCatalogue } from './catalogue/catalogue-events.ts';
import { createPeople } from './app-people.ts';
import { createPlayback } from './app-playback.ts';
import { playbackHandlers } from './playback/playback-events.ts';
import { readPlaybackDocument } from './playback/playback-store.ts';
import { type Clock, type Ids, type Log, type Notify, refuse } from './ports.ts';
import { connectionsInRoom, vacateRoom } from './presence/connections-store.ts';
import { markShownChanged, peopleNews } from './presence/people-news.ts';
import { presenceService } from './presence/presence-service.ts';
import type { Caller } from './realtime/caller.ts';
import { dispatcher } from './realtime/dispatcher.ts';
import type { Doorbell } from './realtime/doorbell.ts';
import { Feed } from './realtime/feed.ts';
import { Hub } from './realtime/hub.ts';
import { limitKeeper } from './realtime/request-limits.ts';
import { createSocketServer } from './realtime/socket-server.ts';
import { occupancyService } from './rooms/occupancy-service.ts';
import { requestsService } from './rooms/requests-service.ts';
import { roomChatService } from './rooms/room-chat-service.ts';
import { ownRequests, ownRoomMessages, ownSeats } from './rooms/own-rooms.ts';
import { roomViewService } from './rooms/room-view-service.ts';
import { roomHandlers } from './rooms/rooms-events.ts';
import { roomsService } from './rooms/rooms-service.ts';
import { roomsHostedBy, roomsJoinedBy } from './rooms/rooms-store.ts';
import { gateRoom } from './rooms/standing.ts';
import { ownSnapshotReader } from './session/own-snapshot.ts';
import { personOf } from './storage/people.ts';
import type { StreamRecord, Writing } from './storage/record.ts';
import type { Schema } from './storage/schema.ts';
import { within } from './within.ts';

type Db = Kysely<Schema>;

const presenceStopsWithinMs = 2000;

export interface LiveDeps {
  http: HttpServer;
  record: StreamRecord;
  clock: Clock;
  ids: Ids;
  log: Log;
  limits: Limits;
  doorbell: Doorbell;
  processId: string;
  /** RATE_LIMIT_SCALE. */
  limitScale: number;
  sessionOfCookie: SessionOfCookie;
  /** Which of these sessions still hold. */
  liveSessions: (sessionIds: readonly string[]) => Promise<Set<string>>;
  isOwnOrigin: (origin: string) => boolean;
  /** The visitor's address as limits count it. */
  networkOf: (request: IncomingMessage) => string;
  userDocumentOf: (db: Db, uid: Uid) => Promise<UserDocument | null>;
  catalogue: SearchCatalogue;
  notify: Notify;
  background: Background;
}

async function roomsOf(db: Db, uid: Uid) {
  return (await Promise.all(roomKinds.map((kind) => roomsJoinedBy(db, kind, uid)))).flat();
}

/** The rooms that this person opened, for their export. */
async function hostedRoomsOf(db: Db, uid: Uid) {
  const rooms = (await Promise.all(roomKinds.map((kind) => roomsHostedBy(db, kind, uid)))).flat();
  return rooms.map(({ kind, code, name, createdAtMs, isActive }) => ({ kind, code, name, createdAtMs, isActive }));
}

/** Presence as participants show it. */
async function participantOf(db: Db, uid: Uid) {
  const person = await personOf(db, uid);
  return person && { uid, name: person.name, online: person.presence.state === 'online' };
}

/** The streams of the rooms in which this person has a seat. */
async function roomStreamsOf(db: Db, uid: Uid): Promise<StreamId[]> {
  return (await roomsOf(db, uid)).map(({ roomId }) => roomStream(roomId));
}

export function createLive(deps: LiveDeps) {
  const { record, clock, ids, log, doorbell, limits } = deps;
  const io = createSocketServer(deps.http, {
    isOwnOrigin: deps.isOwnOrigin,
    networkOf: deps.networkOf,
    sessionOfCookie: deps.sessionOfCookie,
    mayConnect: async (network) => (await limits.take('socketOpensIp', network)).ok,
    limitScale: deps.limitScale,
  });
  const hub = new Hub(io, log);
  const feed = new Feed(record, hub, log);
  const gate = gateRoom(clock);
  const people = createPeople({
    record,
    clock,
    ids,
    log,
    passOn: (to, news) => doorbell.ring({ type: 'passing', to, news }),
    notify: deps.notify,
    dismissal: {
      streams: (db, host) => rooms.dismissal.streams(db, host),
      apply: (writing, host, guest) => rooms.dismissal.apply(writing, host, guest),
    },
  });

  const { playback, ...playing } = createPlayback({ record, clock, log, doorbell, gate });
  const news = peopleNews({
    db: record.db,
    clock,
    log,
    knownBy: people.knownBy,
    withoutBlocks: people.withoutBlocks,
    pass: (to, told) => hub.passOn(to, told),
  });
  const shownChanged = (uid: Uid): void => doorbell.ring({ type: 'shown', uid });
  const occupancy = occupancyService({ record, log, presentIn: connectionsInRoom });
  const presence = presenceService({
    record,
    clock,
    log,
    processId: deps.processId,
    limitScale: deps.limitScale,
    shownChanged,
    roomsOf,
    occupancyChanged: occupancy.occupancyChanged,
  });
  const rooms = roomsService({ record, clock, ids, log, startPlayback: playback.start, vacate: vacateRoom });
  const requests = requestsService({
    record,
    clock,
    log,
    personOf: participantOf,
    meet: people.meet,
    isBlocked: people.isBlocked,
    takeFromRoom: (roomId) => limits.take('roomRequests', roomId),
    notify: deps.notify,
  });
  const roomChat = roomChatService({ record, clock, ids, personOf });
  const view = roomViewService({
    record,
    clock,
    playbackOf: readPlaybackDocument,
    isBlocked: people.isBlocked,
    attend: (caller, stream, read) =>
      feed.attend(stream, async () => {
        const outcome = await read();
        if (outcome.ok) hub.join(caller, stream);
        return outcome;
      }),
    unattend: (caller, stream) => hub.leave(caller, stream),
    moveTo: presence.moveTo,
  });
  const readOwnSnapshot = ownSnapshotReader({ record, clock, userDocumentOf: deps.userDocumentOf, ...people.snapshot });

  const greet = (caller: Caller) =>
    feed.attend(ownStream(caller.uid), async () => {
      // One that ended while the connection was opening was told to those who attended then.
      if (!(await deps.liveSessions([caller.sessionId])).has(caller.sessionId)) return refuse('auth/required');
      const snapshot = await readOwnSnapshot(caller.uid);
      if (snapshot.ok) hub.join(caller, ownStream(caller.uid));
      return snapshot;
    });

  /** Searching tells nobody whether a code is in use: a caller with no right to it is told only which right is missing. */
  const authorizeCatalogue = async (
    caller: Caller,
    room: { kind: RoomKind; code: string },
    need: 'host' | 'member',
  ) => {
    const found = await gate(record.db, caller, room, need);
    if (!('ok' in found) || found.error.code === 'room/ended') return found;
    return refuse(need === 'host' ? 'room/host-only' : 'room/not-member');
  };

  const dispatch = dispatcher({
    log,
    ...limitKeeper(limits),
    handlers: {
      // The connection asks this once, before anything else.
      'session/hello': greet,
      ...playbackHandlers(playback),
      ...roomHandlers(rooms, requests, roomChat, view),
      ...catalogueHandlers(deps.catalogue, authorizeCatalogue),
      ...people.handlers,
    },
  });

  record.onCommitted((streams) => doorbell.ring({ type: 'grown', streams }));
  doorbell.onRing((ring) => {
    if (ring.type === 'grown') ring.streams.forEach((stream) => feed.ring(stream));
    else if (ring.type === 'shown') news.changed(ring.uid);
    else if (ring.type === 'passing') hub.passOn([ring.to], ring.news);
    else playing.ready(ring);
  });

  hub.open({
    dispatch,
    log,
    limitScale: deps.limitScale,
    opened: presence.opened,
    closed: (caller, ending) => {
      playing.forget(caller.connectionId);
      return presence.closed(caller, ending);
    },
  });

  async function checkSessions(): Promise<void> {
    const sessionIds = [...new Set(hub.callers().map(({ sessionId }) => sessionId))];
    const live = await deps.liveSessions(sessionIds);
    hub.endSessions(sessionIds.filter((sessionId) => !live.has(sessionId)));
  }

  const { background } = deps;
  /** A new name reaches this person's rooms with the rename itself, and everyone else who knows them behind it. */
  async function onRenaming(writing: Writing, uid: Uid, name: string): Promise<void> {
    await writing.append(await roomStreamsOf(writing.db, uid), { type: 'rooms/participantRenamed', uid, name });
    await markShownChanged(writing.db, uid, writing.nowMs);
    writing.afterCommit(() => shownChanged(uid));
  }

  background.every(2000, 'presence.tick', presence.tick);
  background.every(1000, 'presence.tell', presence.tellDue);
  background.every(20_000, 'rooms.sweep', rooms.sweep);
  background.every(60_000, 'sessions.check', checkSessions);
  background.every(2000, 'connections.stalled', () => Promise.resolve(hub.dropStalled()));
  background.every(5000, 'rooms.lapse', requests.lapse);
  background.every(30_000, 'presence.strays', presence.findStrays);
  // What no bell announced is in the database: looked for at once while it is out of order, and now and then in any case.
  const lookAround = async () => void (await Promise.all([feed.lookAround(), news.look()]));
  background.every(2000, 'feed.look', () => (doorbell.mayHaveMissed() ? lookAround() : Promise.resolve()));
  background.every(15_000, 'feed.look-anyway', () => feed.lookAround());
  background.every(15_000, 'people.tell-again', news.tellAgain);

  return {
    start: presence.tick,
    /** What an account's deletion takes with it, and what its export holds. */
    async removePerson(uid: Uid): Promise<void> {
      await rooms.removePerson(uid);
      await people.removePerson(uid);
    },
    exports: {
      ...people.exports,
      roomsHosted: (uid: Uid) => hostedRoomsOf(record.db, uid),
      roomsJoined: (uid: Uid) => ownSeats(record.db, uid),
      joinRequests: (uid: Uid) => ownRequests(record.db, uid),
      roomMessages: (uid: Uid) => ownRoomMessages(record.db, uid),
    },
    streamsOfRename: roomStreamsOf,
    onRenaming,
    async close(): Promise<void> {
      await hub.drain();
      await playing.close();
      // Without a database others find out by this process's silence. Everyone here is told in any case.
      await within(presenceStopsWithinMs, [
        presence.stop().catch((error: unknown) => log.warn({ err: error }, 'presence.stop-failed')),
      ]);
      await hub.close({ code: 'server/unavailable' });
    },
  };
}
