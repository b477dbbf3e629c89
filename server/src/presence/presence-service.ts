/**
 * Presence: derived from live connections of all processes, never from what a client says. A person is online while any
 * connection of theirs lives or is within its grace period. Here connections are counted, moved between rooms and
 * ended; online-state decides what is published.
 */
import { userStream, type Uid, type Result } from '@tunemate/protocol';
import { accept, refuse } from '../ports.ts';
import type { Caller, Ending } from '../realtime/caller.ts';
import {
  reapDeadConnections,
  connectionById,
  countOpenConnections,
  deleteConnection,
  forgetProcess,
  forgetSilentProcesses,
  insertConnection,
  startAllGracePeriods,
  startGracePeriod,
  readRoomRef,
  reportProcess,
  type RoomRef,
  setConnectionRoom,
} from './connections-store.ts';
import { onlineState, type OnlineState, type OnlineStateDeps } from './online-state.ts';

/** A lost connection counts as online until its last sign of life is this old, so that short losses are not shown. */
const gracePeriodMs = 40_000;
/** A page that said goodbye counts a little longer: it may only be reloading. */
const reloadMs = 2000;
/** A process that has not reported for this long is dead, and so are its connections. */
const processSilenceMs = 30_000;
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

export function presenceService(deps: PresenceDeps) {
  const { record, clock, log, processId } = deps;
  const online = onlineState(deps);
  const open: OpenConnections = new Map();
  /** Ends that could not be stored; tried again until they are. */
  const unwritten = new Map<string, { caller: Caller; ending: Ending }>();
  let isStopped = false;

  async function opened(caller: Caller): Promise<Result<unknown>> {
    // Before it is written: no process would delete a row whose connection it does not know.
    open.set(caller.connectionId, { caller, room: null });
    if (!(await insertWithinLimit(deps, caller))) {
      open.delete(caller.connectionId);
      return refuse('limit/too-many', { retryAfterMs: gracePeriodMs });
    }
    await online.refresh(caller.uid);
    return accept({});
  }

  async function closed(caller: Caller, ending: Ending): Promise<void> {
    const wasOpen = open.delete(caller.connectionId);
    // A process that stops starts the grace period of all its connections at once.
    if (!wasOpen || isStopped) return;
    try {
      await writeEnd(deps, online, caller, ending);
    } catch (error) {
      unwritten.set(caller.connectionId, { caller, ending });
      log.warn({ err: error }, 'presence.end-not-stored');
    }
  }

  /** Answers the room that the connection was in before, if it was in another one. */
  async function moveTo(caller: Caller, room: RoomRef | null): Promise<RoomRef | null> {
    const here = open.get(caller.connectionId);
    if (here) here.room = room;
    const row = await connectionById(record.db, caller.connectionId);
    const before = readRoomRef(row?.room ?? null);
    const left = before && before.roomId !== room?.roomId ? before : null;
    await setConnectionRoom(record.db, caller.connectionId, room);
    if (left) await deps.occupancyChanged(left);
    if (room) await deps.occupancyChanged(room);
    return left;
  }

  /** Reports that this process lives, and removes the connections of processes that do not. Runs every 2 s. */
  async function tick(): Promise<void> {
    const nowMs = clock.now();
    const silentSinceMs = nowMs - processSilenceMs;
    if (!(await reportProcess(record.db, processId, nowMs, silentSinceMs))) await restore(deps, online, open);
    for (const [connectionId, { caller, ending }] of unwritten) {
      await writeEnd(deps, online, caller, ending);
      unwritten.delete(connectionId);
    }
    await reap(deps, online, nowMs, silentSinceMs);
  }

  /** A planned stop: people who reconnect to another process in time stay online throughout. */
  async function stop(): Promise<void> {
    isStopped = true;
    await startAllGracePeriods(record.db, processId, clock.now() + gracePeriodMs);
    await forgetProcess(record.db, processId);
  }

  const { publishDue, refreshOrphans } = online;
  return { opened, closed, moveTo, tick, publishDue, refreshOrphans, stop };
}
export type PresenceService = ReturnType<typeof presenceService>;

/** The live connections of this process and the rooms they are in: what the table must contain. */
type OpenConnections = Map<string, { caller: Caller; room: RoomRef | null }>;

const rowOf = ({ clock, processId }: PresenceDeps, caller: Caller, room: RoomRef | null) => ({
  connection_id: caller.connectionId,
  uid: caller.uid,
  tab_id: caller.tabId,
  process_id: processId,
  opened_at_ms: clock.now(),
  room,
});

/** Counts and adds in one write that holds the person's stream: many tabs at once can't exceed the limit together. */
async function insertWithinLimit(deps: PresenceDeps, caller: Caller): Promise<boolean> {
  const most = connectionsPerPerson * deps.limitScale;
  return await deps.record.write([userStream(caller.uid)], async ({ db }) => {
    if (most > 0 && (await countOpenConnections(db, caller.uid)) >= most) return false;
    await insertConnection(db, rowOf(deps, caller, null));
    return true;
  });
}

async function writeEnd(deps: PresenceDeps, online: OnlineState, caller: Caller, ending: Ending): Promise<void> {
  const { db } = deps.record;
  const row = await connectionById(db, caller.connectionId);
  const graceMs = gracePeriodOf(ending);
  // A tab that left is out of its room at once; one that lost its connection keeps its room and its lease.
  if (ending.type === 'left') await setConnectionRoom(db, caller.connectionId, null);
  if (graceMs > 0) await startGracePeriod(db, caller.connectionId, deps.clock.now() + graceMs);
  else await deleteConnection(db, caller.connectionId);
  const room = readRoomRef(row?.room ?? null);
  if (room) await deps.occupancyChanged(room);
  if (graceMs <= 0) await online.refresh(caller.uid);
}

/** Removes connections whose grace period is over or whose process is dead, and updates their rooms and people. */
async function reap(
  { record, occupancyChanged }: PresenceDeps,
  online: OnlineState,
  nowMs: number,
  silentSinceMs: number,
) {
  const dead = await reapDeadConnections(record.db, nowMs, silentSinceMs);
  const rooms = new Map(dead.flatMap(({ room }) => (room === null ? [] : ([[room, readRoomRef(room)]] as const))));
  for (const room of rooms.values()) if (room) await occupancyChanged(room);
  for (const uid of new Set(dead.map((row) => row.uid as Uid))) await online.refresh(uid);
  await forgetSilentProcesses(record.db, silentSinceMs);
}

/**
 * Other processes took this one for dead (it lost its database, or the machine slept): inserts its connections again.
 */
async function restore(deps: PresenceDeps, online: OnlineState, open: OpenConnections): Promise<void> {
  const { db } = deps.record;
  for (const { caller, room } of open.values()) {
    const rooms = room ? await deps.roomsOf(db, caller.uid) : [];
    const isStillIn = rooms.some(({ roomId }) => roomId === room?.roomId);
    await insertConnection(db, rowOf(deps, caller, isStillIn ? room : null));
    if (!open.has(caller.connectionId)) await deleteConnection(db, caller.connectionId);
    if (room && isStillIn) await deps.occupancyChanged(room);
    await online.refresh(caller.uid);
  }
}
