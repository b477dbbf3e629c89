/**
 * Presence: derived from live connections of all processes, never from what a client says. A person is online while any
 * connection of theirs lives or is within its grace period. Here connections are counted, moved between rooms and
 * ended, those of one moment together; online-state decides what is published.
 */
import { type Result, type Uid, userStream } from '@tunemate/protocol';
import { gather } from '../system/gather.ts';
import { accept, refuse } from '../system/ports.ts';
import type { Caller, Ending } from '../access/caller.ts';
import { takesNoWrites } from '../storage/failures.ts';
import { chunked } from '../storage/queries.ts';
import type { Writing } from '../storage/record.ts';
import type { RoomRef } from '../storage/schema.ts';
import {
  connectionsById,
  contradictedRooms,
  deleteConnections,
  excuseOutage,
  forgetProcess,
  forgetSilentProcesses,
  insertConnections,
  longestOpen,
  openConnectionsOf,
  readRoomRef,
  reapDeadConnections,
  reapOrphanedConnections,
  reportProcess,
  setConnectionsRoom,
  startAllGracePeriods,
  startGracePeriods,
} from './connections-store.ts';
import { onlineState, type OnlineState, type OnlineStateDeps } from './online-state.ts';

/** A lost connection counts as online until its last sign of life is this old, so that short losses are not shown. */
const gracePeriodMs = 40_000;
/** A page that said goodbye counts a little longer: it may only be reloading. */
const reloadMs = 2000;
/** A process that has not reported for this long is dead, and so are its connections. */
const processSilenceMs = 30_000;
/** A process that lives has reported within this time: it does so every 2 s. */
const lifeSignMs = 6000;
/** After a longer outage of all processes, people count as offline until they are back. */
const longestOutageMs = 120_000;
/** Their writes share a commit: a start may find that the hosts of thousands of rooms have gone. */
const roomsAtOnce = 50;
const crowd = { waitsForCrowd: true };
/** Tabs and devices of one person. */
const connectionsPerPerson = 10;

export interface PresenceDeps extends OnlineStateDeps {
  processId: string;
  /** RATE_LIMIT_SCALE. */
  limitScale: number;
  /** A connection entered or left the room: the host's absence may begin or end. */
  occupancyChanged: (room: RoomRef) => Promise<void>;
}

function gracePeriodOf(ending: Ending): number {
  if (ending.type === 'lost') return gracePeriodMs - ending.silentMs;
  return ending.type === 'left' ? reloadMs : 0;
}

interface Move {
  caller: Caller;
  room: RoomRef | null;
  /** It is in no room: as this process wrote it, and no other process puts it into one. */
  isOutside: boolean;
}

interface End {
  caller: Caller;
  ending: Ending;
}

export function presenceService(deps: PresenceDeps) {
  const { record, clock, log, processId } = deps;
  const online = onlineState(deps);
  const open: OpenConnections = new Map();
  /** Ends that could not be stored; tried again until they are. */
  const unwritten = new Map<string, End>();
  const moveTogether = gather((moves: readonly Move[]) => moveAll(deps, moves), crowd);
  const endTogether = gather((ends: readonly End[]) => endAll(deps, online, ends));
  let [isStopped, hasTicked] = [false, false];
  const restoration = restorationOf(deps, online, open);
  const { opened, wasLetGo } = openingOf(deps, online, { open, restoration });

  async function closed(caller: Caller, ending: Ending): Promise<void> {
    const wasOpen = open.delete(caller.connectionId);
    // A process that stops starts the grace period of all its connections at once.
    if (!wasOpen || isStopped) return;
    try {
      await endTogether({ caller, ending });
    } catch (error) {
      unwritten.set(caller.connectionId, { caller, ending });
      log.warn({ err: error }, 'presence.end-not-stored');
    }
  }

  /** Answers the room that the connection was in before, if it was in another one. */
  async function moveTo(caller: Caller, room: RoomRef | null): Promise<RoomRef | null> {
    const here = open.get(caller.connectionId);
    const { isOutside = false, room: before = null } = here ?? {};
    // Until this is stored, the connection may be in the old or the new room.
    if (here) [here.room, here.isOutside] = [room, false];
    const left = await restoration.unlessUnwritable(moveTogether({ caller, room, isOutside }), () => {
      restoration.unplaced.add(caller.connectionId);
      return before?.roomId === room?.roomId ? null : before;
    });
    if (here) here.isOutside = room === null && !restoration.unplaced.has(caller.connectionId);
    return left;
  }

  /** Reports that this process lives, and removes the connections of processes that do not. Runs every 2 s. */
  async function tick(): Promise<void> {
    const nowMs = clock.now();
    const silentSinceMs = nowMs - processSilenceMs;
    if (!hasTicked) await excuseOutage(record.db, nowMs, nowMs - longestOutageMs, nowMs - lifeSignMs);
    // The report is stored even if restoring fails, and the next one no longer says that it is needed.
    if (!(await reportProcess(record.db, processId, nowMs, silentSinceMs))) restoration.demand();
    await restoration.run();
    for (const ends of chunked([...unwritten.values()])) {
      await endAll(deps, online, ends);
      for (const connectionId of idsOf(ends)) unwritten.delete(connectionId);
    }
    if (!hasTicked) await removeOrphans();
    hasTicked = true;
    await tidy(deps, online, await reapDeadConnections(record.db, nowMs, silentSinceMs));
    await forgetSilentProcesses(record.db, silentSinceMs);
  }

  /** Corrects what a failure left behind, which takes reading all connections. Runs every 30 s. */
  async function removeOrphans(): Promise<void> {
    await tidy(deps, online, await reapOrphanedConnections(record.db));
    await online.refreshOrphans();
    await tellRooms(deps.occupancyChanged, await contradictedRooms(record.db));
  }

  /** A planned stop: people who reconnect to another process in time stay online throughout. */
  async function stop(): Promise<void> {
    isStopped = true;
    await startAllGracePeriods(record.db, processId, clock.now() + gracePeriodMs);
    await forgetProcess(record.db, processId);
  }

  return { opened, wasLetGo, closed, moveTo, tick, publishDue: online.publishDue, removeOrphans, stop };
}
export type PresenceService = ReturnType<typeof presenceService>;

/** The live connections of this process and the rooms they are in: what the table must contain. */
interface OpenConnection {
  caller: Caller;
  room: RoomRef | null;
  isOutside: boolean;
  /** The number of its person's stream when it was stored; null where nothing could be, and it is stored later. */
  storedAt: number | null;
}
type OpenConnections = Map<string, OpenConnection>;

const idsOf = (parts: readonly { caller: Caller }[]): string[] => parts.map(({ caller }) => caller.connectionId);
const uidsOf = (callers: readonly Caller[]): Uid[] => [...new Set(callers.map(({ uid }) => uid))];

const rowOf = ({ clock, processId }: PresenceDeps, caller: Caller, room: RoomRef | null) => ({
  connection_id: caller.connectionId,
  uid: caller.uid,
  tab_id: caller.tabId,
  process_id: processId,
  opened_at_ms: clock.now(),
  room,
});

/** Connections that open, and those among them that lose their place before they follow the stream of their person. */
function openingOf(
  deps: PresenceDeps,
  online: OnlineState,
  { open, restoration }: { open: OpenConnections; restoration: ReturnType<typeof restorationOf> },
) {
  const openTogether = gather((callers: readonly Caller[]) => openAll(deps, online, callers), crowd);
  const rowsTogether = gather(async (connectionIds: readonly string[]) => {
    const rows = await connectionsById(deps.record.db, [...connectionIds]);
    return connectionIds.map((connectionId) => rows.get(connectionId));
  }, crowd);

  async function opened(caller: Caller): Promise<Result<unknown>> {
    // Before it is written: no process would delete a row whose connection it does not know.
    const here: OpenConnection = { caller, room: null, isOutside: true, storedAt: null };
    open.set(caller.connectionId, here);
    const admission = await restoration.unlessUnwritable(openTogether(caller), () => 'unstored' as const);
    if (admission === null) {
      open.delete(caller.connectionId);
      return refuse('session/elsewhere');
    }
    if (admission !== 'unstored') here.storedAt = admission;
    return accept({});
  }

  /**
   * Whether newer connections took the place of this one before its person's stream had the number `seq`, at which it
   * begins to follow it: what the stream said before does not reach it.
   */
  async function wasLetGo({ connectionId }: Caller, seq: number): Promise<boolean> {
    const storedAt = open.get(connectionId)?.storedAt ?? null;
    if (storedAt === null || storedAt === seq) return false;
    const row = await rowsTogether(connectionId);
    return row === undefined || row.grace_until_ms !== null;
  }

  return { opened, wasLetGo };
}

/**
 * Counts and adds in one write that holds the streams of these people: many tabs can't exceed the limit together. The
 * newest have the places: those that have been open longest are let go, outside of rooms first. Answers the number of
 * each person's stream as it is then; null for those that have no place.
 */
async function openAll(
  deps: PresenceDeps,
  online: OnlineState,
  callers: readonly Caller[],
): Promise<(number | null)[]> {
  const most = connectionsPerPerson * deps.limitScale;
  const uids = uidsOf(callers);
  const publishing = online.publishing(uids);
  return await deps.record.write(publishing.streams, async (writing) => {
    const newer = new Map<Uid, number>();
    const isAmongNewest = ({ uid }: Caller): boolean => {
      const count = (newer.get(uid) ?? 0) + 1;
      newer.set(uid, count);
      return most === 0 || count <= most;
    };
    const verdicts = callers.toReversed().map(isAmongNewest).toReversed();
    const admitted = callers.filter((_, index) => verdicts[index]);
    if (most > 0) await letGo(writing, admitted, most);
    await insertConnections(
      writing.db,
      admitted.map((caller) => rowOf(deps, caller, null)),
    );
    await online.publishIn(writing, uids, publishing);
    return callers.map(({ uid }, index) => (verdicts[index] ? writing.headOf(userStream(uid)) : null));
  });
}

/** Ends as many connections of each person as are too many with these. */
async function letGo(writing: Writing, admitted: readonly Caller[], most: number): Promise<void> {
  const { db, nowMs } = writing;
  const counts = await openConnectionsOf(db, uidsOf(admitted));
  for (const [uid, some] of Map.groupBy(admitted, (caller) => caller.uid)) {
    const tooMany = (counts.get(uid) ?? 0) + some.length - most;
    if (tooMany <= 0) continue;
    const connectionIds = await longestOpen(db, uid, tooMany);
    // Gone from the count at once, and from its room when its process closes it, or is found dead.
    await startGracePeriods(db, connectionIds, nowMs);
    await writing.append(userStream(uid), { type: 'session/letGo', connectionIds });
  }
}

/** A connection that is in its room already is not written. */
async function moveAll(
  { record, occupancyChanged, mayHaveMoved }: PresenceDeps,
  moves: readonly Move[],
): Promise<(RoomRef | null)[]> {
  const rows = await connectionsById(record.db, idsOf(moves.filter(({ isOutside }) => !isOutside)));
  const before = moves.map(({ caller }) => readRoomRef(rows.get(caller.connectionId)?.room ?? null));
  const changed = moves.filter(({ room }, index) => before[index]?.roomId !== room?.roomId);
  const byRoom = Map.groupBy(changed, ({ room }) => room?.roomId);
  if (changed.length > 0) {
    const showing = await record.write([], async ({ db }) => {
      const all: Uid[] = [];
      for (const some of byRoom.values())
        all.push(...(await setConnectionsRoom(db, idsOf(some), some[0]?.room ?? null)));
      return all;
    });
    await mayHaveMoved(showing);
  }
  const left = before.map((ref, index) => (ref && ref.roomId !== moves[index]?.room?.roomId ? ref : null));
  await tellRooms(occupancyChanged, [...left, ...moves.map(({ room }) => room)]);
  return left;
}

async function endAll(deps: PresenceDeps, online: OnlineState, ends: readonly End[]): Promise<null[]> {
  if (ends.length === 0) return [];
  const nowMs = deps.clock.now();
  const rooms = await deps.record.write([], async ({ db }) => {
    const rows = await connectionsById(db, idsOf(ends));
    // A tab that left is out of its room at once; one that lost its connection keeps its room and its lease.
    await setConnectionsRoom(db, idsOf(ends.filter(({ ending }) => ending.type === 'left')), null);
    for (const [graceMs, some] of Map.groupBy(ends, ({ ending }) => Math.max(0, gracePeriodOf(ending)))) {
      if (graceMs > 0) await startGracePeriods(db, idsOf(some), nowMs + graceMs);
      else await deleteConnections(db, idsOf(some));
    }
    return Array.from(rows.values(), ({ room }) => readRoomRef(room));
  });
  await tellRooms(deps.occupancyChanged, rooms);
  await online.refresh(uidsOf(ends.flatMap(({ caller, ending }) => (gracePeriodOf(ending) <= 0 ? [caller] : []))));
  return ends.map(() => null);
}

async function tellRooms(
  occupancyChanged: PresenceDeps['occupancyChanged'],
  rooms: readonly (RoomRef | null)[],
): Promise<void> {
  const byId = new Map(rooms.flatMap((room) => (room ? [[room.roomId, room] as const] : [])));
  for (const some of chunked([...byId.values()], roomsAtOnce)) await Promise.all(some.map(occupancyChanged));
}

/** Updates the rooms and people of connections that were removed. */
async function tidy(
  { occupancyChanged }: PresenceDeps,
  online: OnlineState,
  dead: Awaited<ReturnType<typeof reapDeadConnections>>,
): Promise<void> {
  await tellRooms(
    occupancyChanged,
    dead.map(({ room }) => readRoomRef(room)),
  );
  await online.refresh([...new Set(dead.map(({ uid }) => uid as Uid))]);
}

/** What of the connections of this process has to be stored once more. */
function restorationOf(deps: PresenceDeps, online: OnlineState, open: OpenConnections) {
  let isDue = false;
  /** Connections whose room could not be stored. */
  const unplaced = new Set<string>();
  return {
    unplaced,
    /** Other processes may have removed the connections of this one. */
    demand: (): void => void (isDue = true),
    /** While nothing can be stored people go on reading: who is connected, and where, is stored later. */
    async unlessUnwritable<T, U>(stored: Promise<T>, otherwise: () => U): Promise<T | U> {
      return await stored.catch((error: unknown) => {
        if (!takesNoWrites(error)) throw error;
        isDue = true;
        return otherwise();
      });
    },
    async run(): Promise<void> {
      if (!isDue) return;
      isDue = false;
      const moved = new Set(unplaced);
      try {
        for (const known of chunked([...open.values()])) await restore(deps, online, open, { known, moved });
      } catch (error) {
        isDue = true;
        throw error;
      }
      for (const connectionId of moved) unplaced.delete(connectionId);
    },
  };
}

/**
 * Other processes took this one for dead (it lost its database, or the machine slept), or nothing could be stored:
 * inserts its connections again, and moves those that have moved.
 */
async function restore(
  deps: PresenceDeps,
  online: OnlineState,
  open: OpenConnections,
  { known, moved }: { known: readonly OpenConnection[]; moved: ReadonlySet<string> },
): Promise<void> {
  const { db } = deps.record;
  const uids = uidsOf(known.map(({ caller }) => caller));
  const rooms = await deps.roomsOf(db, uids);
  const isStillIn = (caller: Caller, room: RoomRef | null) =>
    (rooms.get(caller.uid) ?? []).some(({ roomId }) => roomId === room?.roomId);
  const rows = known.map(({ caller, room }) => rowOf(deps, caller, isStillIn(caller, room) ? room : null));
  await insertConnections(db, rows);
  for (const { connection_id: connectionId, room } of rows) {
    if (moved.has(connectionId)) await setConnectionsRoom(db, [connectionId], room);
  }
  // Closed meanwhile.
  await deleteConnections(db, idsOf(known.filter(({ caller }) => !open.has(caller.connectionId))));
  await tellRooms(
    deps.occupancyChanged,
    rows.map(({ room }) => room),
  );
  await online.refresh(uids);
}
