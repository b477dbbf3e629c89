/**
 * Presence: derived from live connections of all processes, never from what a client says. Someone is online while any
 * connection of theirs lives or lingers; a change is told to themselves, to those who may see it, and to their rooms.
 */
import { ownStream, type PresenceRecord, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Clock, type Log, type Outcome, refuse } from '../ports.ts';
import type { Caller, Ending } from '../realtime/caller.ts';
import type { Schema } from '../storage/schema.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import {
  buryDeadConnections,
  connectionById,
  countConnections,
  countOpenConnections,
  deleteConnection,
  forgetProcess,
  forgetSilentProcesses,
  insertConnection,
  letAllLinger,
  letLinger,
  onlineWithoutConnection,
  readRoomRef,
  reportProcess,
  type RoomRef,
  setConnectionRoom,
} from './connections-store.ts';

/** A lost connection counts as online until its last sign of life is this old: shorter losses are shown to nobody (F6). */
const lingerMs = 40_000;
/** A process that has not reported for this long is dead, and so are its connections. */
const processSilenceMs = 30_000;
/** Online without any connection for this long: something failed half-way, or an account was made and left alone. */
const strayMs = 60_000;
/** Tabs and devices of one person (access.md §5). */
const connectionsPerPerson = 10;

export interface PresenceDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  processId: string;
  /** RATE_LIMIT_SCALE. */
  limitScale: number;
  /** Who may see this person's presence: tunemates on either list, and the soulmate. */
  watchersOf: (db: Kysely<Schema>, uid: Uid) => Promise<Uid[]>;
  roomsOf: (db: Kysely<Schema>, uid: Uid) => Promise<RoomRef[]>;
  /** Somebody came into or went out of the room: the host's absence may begin or end. */
  occupancyChanged: (room: RoomRef) => Promise<void>;
}

export function presenceService(deps: PresenceDeps) {
  const { record, clock, log, processId, limitScale } = deps;
  /** The living connections of this process, and where they are: what the table must say of them. */
  const open = new Map<string, { caller: Caller; room: RoomRef | null }>();
  /** Ends that the database did not take; tried again until it does. */
  const unwritten = new Map<string, { caller: Caller; ending: Ending }>();
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
    const most = connectionsPerPerson * limitScale;
    if (most > 0 && (await countOpenConnections(record.db, caller.uid)) >= most) {
      return refuse('limit/too-many', { retryAfterMs: lingerMs });
    }
    open.set(caller.connectionId, { caller, room: null });
    await insertConnection(record.db, rowOf(caller, null));
    await refresh(caller.uid);
    return accept({});
  }

  async function closed(caller: Caller, ending: Ending): Promise<void> {
    const wasOpen = open.delete(caller.connectionId);
    // A process that stops lets all its connections linger at once.
    if (!wasOpen || isStopped) return;
    try {
      await writeEnd(caller, ending);
    } catch (error) {
      unwritten.set(caller.connectionId, { caller, ending });
      log.warn({ err: error }, 'presence.end-unwritten');
    }
  }

  async function writeEnd(caller: Caller, ending: Ending): Promise<void> {
    const row = await connectionById(record.db, caller.connectionId);
    const lingersForMs = ending.type === 'lost' ? lingerMs - ending.silentMs : 0;
    if (lingersForMs > 0) await letLinger(record.db, caller.connectionId, clock.now() + lingersForMs);
    else await deleteConnection(record.db, caller.connectionId);
    const room = readRoomRef(row?.room ?? null);
    if (room) await deps.occupancyChanged(room);
    if (lingersForMs <= 0) await refresh(caller.uid);
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

  /** Brings the stored state in line with the connections, and tells who may know if it changed. */
  async function refresh(uid: Uid): Promise<void> {
    const isOnline = (await countConnections(record.db, uid)) > 0;
    const known = await record.db.selectFrom('users').select('online').where('uid', '=', uid).executeTakeFirst();
    if (!known || (known.online === 1) === isOnline) return;
    await record.write([ownStream(uid)], async (writing) => {
      // Counted again inside: of two tabs opening and closing at once the last write sees both.
      const state = (await countConnections(writing.db, uid)) > 0 ? 'online' : 'offline';
      const changed = await writing.db
        .updateTable('users')
        .set({ online: state === 'online' ? 1 : 0, presence_changed_at_ms: writing.nowMs })
        .where('uid', '=', uid)
        .where('online', '=', state === 'online' ? 0 : 1)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 1n) await tell(writing, { uid, state, last_changed: writing.nowMs });
    });
    log.debug({ uid, isOnline }, 'presence.changed');
  }

  async function tell(writing: Writing, presence: PresenceRecord): Promise<void> {
    const { uid } = presence;
    const watchers: StreamId[] = (await deps.watchersOf(writing.db, uid)).map((watcher) => ownStream(watcher));
    for (const stream of [ownStream(uid), ...watchers.sort()]) {
      await writing.append(stream, { type: 'presence/changed', presence });
    }
    const online = presence.state === 'online';
    for (const { roomId } of await deps.roomsOf(writing.db, uid)) {
      await writing.append(roomStream(roomId), { type: 'rooms/participantPresence', uid, online });
    }
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
    const dead = await buryDeadConnections(record.db, nowMs, silentSinceMs);
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
    for (const uid of await onlineWithoutConnection(record.db, clock.now() - strayMs)) await refresh(uid);
  }

  /** A stop in good order: whoever reconnects soon elsewhere was never gone. */
  async function stop(): Promise<void> {
    isStopped = true;
    await letAllLinger(record.db, processId, clock.now() + lingerMs);
    await forgetProcess(record.db, processId);
  }

  return { opened, closed, moveTo, tick, findStrays, stop };
}
export type PresenceService = ReturnType<typeof presenceService>;
