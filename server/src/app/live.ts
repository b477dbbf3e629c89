/**
 * Composes everything that goes over the socket: the record notifies the doorbell, the feed reads the new entries, the
 * hub delivers them; requests come in through one dispatcher. It knows all features and decides nothing.
 */
import type { MusicHearing } from '../music/music-hearing.ts';
import type { Server as HttpServer } from 'node:http';
import { socketRequests, type Uid, userStream } from '@tunemate/protocol';
import type { Registry } from 'prom-client';
import { answerMetrics, authorized, dispatcher, type NoteAnswer, requestLimits } from '../realtime/requests.ts';
import type { Limits } from '../access/limits.ts';
import type { SessionsService } from '../accounts/sign-in/sessions.ts';
import type { Addresses, Origins } from '../http/address.ts';
import { bareAnswer, commonHeaders } from '../http/security-headers.ts';
import type { RoomConnections } from '../rooms/members/room-view.ts';
import type { Features } from './features.ts';
import type { Background } from '../system/background.ts';
import { indexEarlierMessages } from '../chats/message-index.ts';
import { catalogueHandlers, type RoomCatalogue } from '../catalogue/catalogue-service.ts';
import { readPlayback } from '../playback/playback-document.ts';
import { moveStarts } from '../playback/moved-starts.ts';
import { type Clock, type Log, refuse } from '../system/ports.ts';
import { hearingUpdates, peopleUpdates } from '../presence/people-updates.ts';
import { type PresenceService, presenceService } from '../presence/presence-service.ts';
import type { Caller } from '../access/caller.ts';
import { type ConnectionDeps, helloAdmission } from '../realtime/connection.ts';
import { databaseWatch, deliveryMetric, Hub, showLoad } from '../realtime/hub.ts';
import { type Doorbell, Feed } from '../realtime/feed.ts';
import { createSocketServer, type SocketServer } from '../realtime/socket-server.ts';
import type { Turns } from '../realtime/turns.ts';
import { userSnapshotReader } from '../session/own-snapshot.ts';
import type { Database } from '../storage/database.ts';
import { type Ages, clockSteps } from '../storage/clock-steps.ts';
import { isReachable } from '../storage/state.ts';
import { settledWithin } from '../system/within.ts';

const presenceStopsWithinMs = 2000;

export interface LiveDeps {
  http: HttpServer;
  features: Features;
  /** Notes until when the page of a connection heard. */
  music: Pick<MusicHearing, 'closed'>;
  clock: Clock;
  ages: Ages;
  log: Log;
  limits: Limits;
  doorbell: Doorbell;
  processId: string;
  /** RATE_LIMIT_SCALE. */
  limitScale: number;
  /** The order of requests, shared with HTTP. */
  turns: Turns;
  sessions: Pick<SessionsService, 'sessionOfCookie' | 'stillConnected' | 'accountsOf'>;
  origins: Pick<Origins, 'isOwn' | 'isSecureHost'>;
  addresses: Pick<Addresses, 'networkOf'>;
  catalogue: RoomCatalogue;
  database: Pick<Database, 'answers'>;
  background: Background;
  metrics: Registry;
}

/** What the catalogue asks of rooms. */
const roomsAsked = ({ factsOf, record: { db } }: Features): Parameters<typeof catalogueHandlers>[1] => ({
  factsOf,
  isQueued: async (room, track) =>
    (await readPlayback(db, room))?.playback.queue.videoQueue.some(({ videoId }) => videoId === track) === true,
});

export function createLive(deps: LiveDeps) {
  const { features, clock, log, doorbell, limits, limitScale } = deps;
  const { record, playback } = features;
  const sockets = createSocketServer(deps.http, {
    isOwnOrigin: deps.origins.isOwn,
    bareAnswer: (status) => bareAnswer(status, '', commonHeaders(deps.origins)),
    networkOf: deps.addresses.networkOf,
    sessionOfCookie: deps.sessions.sessionOfCookie,
    mayConnect: async (network) => (await limits.take('socketOpensIp', network)).ok,
    limitScale,
  });
  const { hub, noteAnswer } = measuredHub(sockets, deps);
  const feed = new Feed({ record, subscribers: hub, doorbell, log });
  const updates = updatesOfPeople(deps, hub);
  const presence = presenceService({
    record,
    clock,
    log,
    processId: deps.processId,
    limitScale,
    shownChanged: (uids) => doorbell.notify({ type: 'shown', uids: [...uids] }),
    ...features.occupancy,
  });
  const dispatch = dispatcher({
    log,
    noteAnswer,
    ...requestLimits(limits),
    answers: authorized(
      {
        // The first request of every connection.
        'session/hello': helloHandler(deps, feed, hub, presence),
        ...features.handlers,
        ...catalogueHandlers(deps.catalogue, roomsAsked(features)),
      },
      features.subjects,
    ),
  });

  record.onCommitted((to, entries) => doorbell.notify({ type: 'stream-grown', to, entries }));
  doorbell.onNotification((notify) => {
    if (notify.type === 'stream-grown') feed.notify(notify.to, notify.entries);
    else if (notify.type === 'shown' || notify.type === 'heard') updates[notify.type].changed(notify.uids);
    else if (notify.type === 'ephemeral') hub.sendEphemeral([notify.to], notify.news);
    else playback.ready(notify);
  });
  const served = {
    dispatch,
    probe: probeHandler(playback.probe, noteAnswer),
    log,
    limitScale,
    mostTogether: 10,
    admission: helloAdmission(),
    opened: presence.opened,
    closed: (caller, ending) => {
      playback.forget(caller.connectionId);
      deps.music.closed(caller, ending);
      return presence.closed(caller, ending);
    },
  } satisfies ConnectionDeps;
  hub.open(served, deps.turns);
  const start = keepUp(deps, { hub, feed, ...updates, presence });

  return {
    start,
    connections: connectionsOf(feed, hub, presence),
    /** Whether a connection of this process follows this person's own stream. */
    isConnectedHere: (uid: Uid): boolean => hub.size(userStream(uid)) > 0,
    async close(): Promise<void> {
      await hub.drain();
      await playback.close();
      // Without a database other processes notice the missing heartbeat. Clients here get a goodbye in any case.
      await settledWithin(presenceStopsWithinMs, [
        presence.stop().catch((error: unknown) => log.warn({ err: error }, 'presence.stop-failed')),
      ]);
      await hub.close({ code: 'server/unavailable' });
    },
  };
}

/** What is sent about people as it changes: names and presence, and what they hear. */
function updatesOfPeople({ features: { record, hearing }, clock, log }: LiveDeps, hub: Hub) {
  const parts = {
    db: record.db,
    clock,
    log,
    pass: (...sent: Parameters<Hub['sendEphemeral']>) => hub.sendEphemeral(...sent),
  };
  return { shown: peopleUpdates(parts), heard: hearingUpdates({ ...parts, shownBy: hearing.shownBy }) };
}

function measuredHub(sockets: SocketServer, { log, metrics }: LiveDeps) {
  const hub = new Hub(sockets, log, deliveryMetric(metrics));
  showLoad(metrics, () => hub.load());
  return { hub, noteAnswer: answerMetrics(metrics) };
}

/** How connections follow rooms. */
function connectionsOf(feed: Feed, hub: Hub, presence: PresenceService): RoomConnections {
  return {
    subscribe: (caller, stream, read) =>
      feed.subscribe(stream, async (seq) => {
        const outcome = await read(seq);
        if (outcome.ok) hub.join(caller, stream);
        return outcome;
      }),
    unsubscribe: (caller, stream) => hub.leave(caller, stream),
    moveTo: presence.moveTo,
  };
}

/** Probes of the clock, which are answered before the dispatcher. */
function probeHandler(probe: Features['playback']['probe'], noteAnswer: NoteAnswer): ConnectionDeps['probe'] {
  const { payload: shape } = socketRequests['clock/probe'];
  return (caller, payload) => {
    const startedMs = performance.now();
    const read = shape.safeParse(payload);
    if (!read.success) return null;
    const answer = probe(caller, read.data);
    noteAnswer('clock/probe', answer, performance.now() - startedMs);
    return answer;
  };
}

function helloHandler(
  { features, clock, sessions: { accountsOf } }: LiveDeps,
  feed: Feed,
  hub: Hub,
  { wasLetGo }: PresenceService,
) {
  const { record } = features;
  const readOwnSnapshot = userSnapshotReader({ record, clock, accountsOf, shownTo: features.hearing.shownTo });
  return (caller: Caller) =>
    feed.subscribe(userStream(caller.uid), async (seq) => {
      // What ended while the connection was opening was delivered before this subscription: its session, its place.
      const [snapshot, isLetGo] = await Promise.all([readOwnSnapshot(caller, seq), wasLetGo(caller, seq)]);
      if (snapshot.ok && isLetGo) return refuse('session/elsewhere');
      if (snapshot.ok) hub.join(caller, userStream(caller.uid));
      return snapshot;
    });
}

interface Parts {
  hub: Hub;
  feed: Feed;
  shown: ReturnType<typeof peopleUpdates>;
  heard: ReturnType<typeof hearingUpdates>;
  presence: PresenceService;
}

/** Names the background tasks, and answers what starts them. */
function keepUp(deps: LiveDeps, { hub, feed, shown, heard, presence }: Parts) {
  const { background, features, doorbell, sessions, clock, log } = deps;
  const { rooms, record, playback } = features;
  const lookAtClock = clockSteps({
    ...{ record, clock, log, ages: deps.ages },
    moveStarts: (byMs, which) => moveStarts(record, byMs, which),
  });
  async function checkSessions(): Promise<void> {
    const sessionIds = [...new Set(hub.callers().map(({ sessionId }) => sessionId))];
    const live = await sessions.stillConnected(sessionIds);
    hub.endSessions(sessionIds.filter((sessionId) => !live.has(sessionId)));
  }
  /** Pages measure the clock when they come back. By the one they know, every track would have ended. */
  async function watchClock(): Promise<void> {
    if (await lookAtClock()) hub.endAll({ code: 'server/unavailable' });
  }
  const watchDatabase = databaseWatch({
    isReachable: () => isReachable(deps.database),
    leave: () => hub.endAll({ code: 'server/unavailable' }),
    log,
  });
  const endRooms = deps.ages.unlessUnused(() => rooms.sweep(deps.ages.areHeld()));
  background.every(2000, 'database.watch', watchDatabase);
  background.every(2000, 'clock.steps', watchClock);
  background.every(2000, 'chats.index', indexEarlierMessages(features.record));
  background.every(2000, 'presence.tick', presence.tick);
  background.every(1000, 'presence.publish', presence.publishDue);
  background.every(20_000, 'rooms.sweep', endRooms);
  background.every(60_000, 'sessions.check', checkSessions);
  background.every(2000, 'connections.stalled', () => Promise.resolve(hub.dropStalled()));
  background.every(30_000, 'chats.timers', deps.ages.unlessHeld(features.chatTimers.deleteGone));
  background.every(5000, 'rooms.lapse', rooms.lapse);
  // A room goes on within 6 s of its track's end: until the next look, and until its next track is loaded.
  background.every(2000, 'playback.overdue', playback.changeOverdue);
  background.every(30_000, 'presence.orphans', presence.removeOrphans);
  // Finds missed notifications: at once while the doorbell is down, and at intervals in any case.
  const pollAll = async () => void (await Promise.all([feed.pollAll(), shown.look(), heard.look()]));
  background.every(2000, 'feed.poll', () => (doorbell.mayHaveMissed() ? pollAll() : Promise.resolve()));
  background.every(15_000, 'feed.poll-anyway', () => feed.pollAll());
  background.every(15_000, 'people.send-again', shown.sendAgain);
  background.every(15_000, 'hearing.send-again', heard.sendAgain);
  background.every(2000, 'hearing.settle', features.hearing.settleAgain);
  return async (): Promise<void> => {
    // What runs by itself says that this process lives and excuses an outage: not before it is known that it may start.
    background.start();
    await lookAtClock();
    await presence.tick();
  };
}
