/**
 * Presence: derived from live connections of all processes, never from what a client says. Someone is online while any
 * connection of theirs lives or lingers; a change is told to themselves, to their rooms, and to those who may see it,
 * at most once in 5 s.
 */
import { decideTelling, type Telling } from '@tunemate/domain';
import { userStream, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Clock, type Log, type Outcome, refuse } from '../ports.ts';
import type { Caller, Ending } from '../realtime/caller.ts';
import type { Schema } from '../storage/schema.ts';
import type { StreamRecord } from '../storage/record.ts';
import {
  reapDeadConnections,
  connectionById,
  countConnections,
  countOpenConnections,
  deleteConnection,
  forgetProcess,
  forgetSilentProcesses,
  insertConnection,
  startAllGracePeriods,
  startGracePeriod,
  onlineWithoutConnection,
  readRoomRef,
  reportProcess,
  type RoomRef,
  setConnectionRoom,
} from './connections-store.ts';

/** A lost connection counts as online until its last sign of life is this old: shorter losses are shown to nobody. */
const gracePeriodMs = 40_000;
/** Whose page said goodbye counts a little longer: a page that is loaded anew was never gone. */
const reloadMs = 2000;
/** A process that has not reported for this long is dead, and so are its connections. */
const processSilenceMs = 30_000;
/** Online without any connection for this long: something failed half-way, or an account was made and left alone. */
const orphanedPresenceMs = 60_000;
/** Tabs and devices of one person. */
const connectionsPerPerson = 10;

export interface PresenceDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  processId: string;
  /** RATE_LIMIT_SCALE. */
  limitScale: number;
  /** What others see of this person has changed: told after the commit, on every process. */
  shownChanged: (uid: Uid) => void;
  roomsOf: (db: Kysely<Schema>, uid: Uid) => Promise<RoomRef[]>;
  /** Somebody came into or went out of the room: the host's absence may begin or end. */
  occupancyChanged: (room: RoomRef) => Promise<void>;
}

function gracePeriodOf(ending: Ending): number {
  if (ending.type === 'lost') return gracePeriodMs - ending.silentMs;
  return ending.type === 'left' ? reloadMs : 0;
}

export function presenceService(deps: PresenceDeps) {
  const { record, clock, log, processId, limitScale } = deps;
  /** The living connections of this process, and where they are: what the table must say of them. */
  const open = new Map<string, { caller: Caller; room: RoomRef | null }>();
  /** Ends that the database did not take; tried again until it does. */
  const unwritten = new Map<string, { caller: Caller; ending: Ending }>();
  /** Who came or went too soon after the last telling, and when that may be told. */
  const due = new Map<Uid, number>();
  let isStopped = false;

  const rowOf = ({ connectionId, uid, tabId }: Caller, room: RoomRef | null) => ({
    connection_id: connectionId,
    uid,
    tab_id: tabId,
    process_id: processId,
    opened_at_ms: clock.now(),
    room,
  });

  async function opened(caller: Caller): Promise<Outcome<unknown>> {
    // Before it is written: what is written but not known here would be deleted by nobody.
    open.set(caller.connectionId, { caller, room: null });
    if (!(await letIn(caller))) {
      open.delete(caller.connectionId);
      return refuse('limit/too-many', { retryAfterMs: gracePeriodMs });
    }
    await refresh(caller.uid);
    return accept({});
  }

  /** Counts and adds in one write that holds the person's own stream: of many tabs at once no more than may get in. */
  async function letIn(caller: Caller): Promise<boolean> {
    const most = connectionsPerPerson * limitScale;
    return await record.write([userStream(caller.uid)], async ({ db }) => {
      if (most > 0 && (await countOpenConnections(db, caller.uid)) >= most) return false;
      await insertConnection(db, rowOf(caller, null));
      return true;
    });
  }

  async function closed(caller: Caller, ending: Ending): Promise<void> {
    const wasOpen = open.delete(caller.connectionId);
    // A process that stops lets all its connections linger at once.
    if (!wasOpen || isStopped) return;
    try {
      await writeEnd(caller, ending);
    } catch (error) {
      unwritten.set(caller.connectionId, { caller, ending });
      log.warn({ err: error }, 'presence.end-not-stored');
    }
  }

  async function writeEnd(caller: Caller, ending: Ending): Promise<void> {
    const row = await connectionById(record.db, caller.connectionId);
    const graceMs = gracePeriodOf(ending);
    // Who left is in no room any more; who was cut off still holds what their tab held there.
    if (ending.type === 'left') await setConnectionRoom(record.db, caller.connectionId, null);
    if (graceMs > 0) await startGracePeriod(record.db, caller.connectionId, clock.now() + graceMs);
    else await deleteConnection(record.db, caller.connectionId);
    const room = readRoomRef(row?.room ?? null);
    if (room) await deps.occupancyChanged(room);
    if (graceMs <= 0) await refresh(caller.uid);
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

  /** What is to be told of this person's connections now; null for an account that is gone. */
  async function tellingOf(db: Kysely<Schema>, uid: Uid, nowMs: number) {
    const isConnected = (await countConnections(db, uid)) > 0;
    const told = await db
      .selectFrom('users')
      .select(['online', 'presence_changed_at_ms'])
      .where('uid', '=', uid)
      .executeTakeFirst();
    if (!told) return null;
    const fact = { isToldOnline: told.online === 1, toldAtMs: told.presence_changed_at_ms, isConnected, nowMs };
    return { isConnected, telling: decideTelling(fact) };
  }

  /** Brings the stored state in line with the connections and tells who may know, now or when it may be told. */
  async function refresh(uid: Uid): Promise<void> {
    const first = await tellingOf(record.db, uid, clock.now());
    if (first?.telling.type !== 'now') return postpone(uid, first?.telling);
    // Decided again inside: of two tabs opening and closing at once the last write sees both.
    const decided = await record.write(streamsShowing(uid), async (writing) => {
      const { db, nowMs } = writing;
      const again = await tellingOf(db, uid, nowMs);
      if (again?.telling.type !== 'now') return again?.telling;
      const state = again.isConnected ? 'online' : 'offline';
      const set = { online: again.isConnected ? 1 : 0, presence_changed_at_ms: nowMs, shown_changed_at_ms: nowMs };
      await db.updateTable('users').set(set).where('uid', '=', uid).execute();
      const presence = { uid, state, last_changed: nowMs } as const;
      await writing.append(userStream(uid), { type: 'presence/changed', presence });
      const online = again.isConnected;
      await writing.append(await roomStreamsOf(db, uid), { type: 'rooms/participantPresence', uid, online });
      writing.afterCommit(() => deps.shownChanged(uid));
      return undefined;
    });
    postpone(uid, decided);
    log.debug({ uid }, 'presence.refreshed');
  }

  function postpone(uid: Uid, telling: Telling | undefined): void {
    if (telling?.type === 'later') due.set(uid, telling.atMs);
    else due.delete(uid);
  }

  const streamsShowing = (uid: Uid) => async (db: Kysely<Schema>) => [
    userStream(uid),
    ...(await roomStreamsOf(db, uid)),
  ];

  async function roomStreamsOf(db: Kysely<Schema>, uid: Uid): Promise<StreamId[]> {
    return (await deps.roomsOf(db, uid)).map(({ roomId }) => roomStream(roomId));
  }

  /** Tells what had to wait. Every second; whoever is forgotten by a crash is found by `findStrays`. */
  async function tellDue(): Promise<void> {
    const nowMs = clock.now();
    for (const [uid, atMs] of due) if (atMs <= nowMs) await refresh(uid);
  }

  /** Says that this process lives, and buries what does not. Every 2 s in every process. */
  async function tick(): Promise<void> {
    const nowMs = clock.now();
    const silentSinceMs = nowMs - processSilenceMs;
    if (!(await reportProcess(record.db, processId, nowMs, silentSinceMs))) await reappear();
    for (const [connectionId, { caller, ending }] of unwritten) {
      await writeEnd(caller, ending);
      unwritten.delete(connectionId);
    }
    const dead = await reapDeadConnections(record.db, nowMs, silentSinceMs);
    const rooms = new Map(dead.flatMap(({ room }) => (room === null ? [] : ([[room, readRoomRef(room)]] as const))));
    for (const room of rooms.values()) if (room) await deps.occupancyChanged(room);
    for (const uid of new Set(dead.map((row) => row.uid as Uid))) await refresh(uid);
    await forgetSilentProcesses(record.db, silentSinceMs);
  }

  /** Others took this process for dead (the database was away, the machine slept): its connections are put back. */
  async function reappear(): Promise<void> {
    for (const { caller, room } of open.values()) {
      const seats = room ? await deps.roomsOf(record.db, caller.uid) : [];
      const isStillIn = seats.some(({ roomId }) => roomId === room?.roomId);
      await insertConnection(record.db, rowOf(caller, isStillIn ? room : null));
      if (!open.has(caller.connectionId)) await deleteConnection(record.db, caller.connectionId);
      if (room && isStillIn) await deps.occupancyChanged(room);
      await refresh(caller.uid);
    }
  }

  /** Whoever is called online without any connection is not, whatever failed when they went. Every 30 s. */
  async function findStrays(): Promise<void> {
    for (const uid of await onlineWithoutConnection(record.db, clock.now() - orphanedPresenceMs)) await refresh(uid);
  }

  /** A stop in good order: whoever reconnects soon elsewhere was never gone. */
  async function stop(): Promise<void> {
    isStopped = true;
    await startAllGracePeriods(record.db, processId, clock.now() + gracePeriodMs);
    await forgetProcess(record.db, processId);
  }

  return { opened, closed, moveTo, tick, tellDue, findStrays, stop };
}
export type PresenceService = ReturnType<typeof presenceService>;
