/**
 * Presence: derived from live connections of all processes, never from what a client says. Someone is online while any
 * connection of theirs lives or lingers; a change is told to themselves, to those who may see it, and to their rooms.
 */
import { ownStream, type PresenceRecord, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Clock, Log } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import type { Schema } from '../storage/schema.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import {
  connectionById,
  countConnections,
  deadConnections,
  deleteConnection,
  forgetProcess,
  forgetSilentProcesses,
  insertConnection,
  letAllLinger,
  letLinger,
  readRoomRef,
  reportProcess,
  type RoomRef,
  setConnectionRoom,
} from './connections-store.ts';

/** A connection that was cut off counts as online this long: shorter losses are shown to nobody (F6). */
const lingerMs = 40_000;
/** A process that has not reported for this long is dead, and so are its connections. */
const processSilenceMs = 30_000;

/** How a connection ended: said goodbye, was cut off, or fell silent until the ping gave up on it. */
export type Ending = 'goodbye' | 'cut-off' | 'silent';

export interface PresenceDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  processId: string;
  /** Who may see this person's presence: tunemates on either list, and the soulmate. */
  watchersOf: (db: Kysely<Schema>, uid: Uid) => Promise<Uid[]>;
  roomsOf: (db: Kysely<Schema>, uid: Uid) => Promise<RoomRef[]>;
  /** Somebody came into or went out of the room: the host's absence may begin or end. */
  occupancyChanged: (room: RoomRef) => Promise<void>;
}

/** The presence record of each of these people; the unknown are offline since ever. */
export async function presenceOf(db: Kysely<Schema>, uids: readonly Uid[]): Promise<Map<Uid, PresenceRecord>> {
  const records = new Map<Uid, PresenceRecord>(uids.map((uid) => [uid, { uid, state: 'offline', last_changed: 0 }]));
  if (uids.length === 0) return records;
  const rows = await db
    .selectFrom('users')
    .select(['uid', 'online', 'presence_changed_at_ms'])
    .where('uid', 'in', [...uids])
    .execute();
  for (const row of rows) {
    const uid = row.uid as Uid;
    records.set(uid, { uid, state: row.online === 1 ? 'online' : 'offline', last_changed: row.presence_changed_at_ms });
  }
  return records;
}

export function presenceService(deps: PresenceDeps) {
  const { record, clock, log, processId } = deps;

  async function opened(caller: Caller): Promise<void> {
    await insertConnection(record.db, {
      connection_id: caller.connectionId,
      uid: caller.uid,
      process_id: processId,
      opened_at_ms: clock.now(),
      room: null,
      lingers_until_ms: null,
    });
    await refresh(caller.uid);
  }

  async function closed(caller: Caller, ending: Ending): Promise<void> {
    const row = await connectionById(record.db, caller.connectionId);
    if (ending === 'cut-off') await letLinger(record.db, caller.connectionId, clock.now() + lingerMs);
    else await deleteConnection(record.db, caller.connectionId);
    const room = readRoomRef(row?.room ?? null);
    if (room) await deps.occupancyChanged(room);
    if (ending !== 'cut-off') await refresh(caller.uid);
  }

  async function moveTo(caller: Caller, room: RoomRef | null): Promise<void> {
    const row = await connectionById(record.db, caller.connectionId);
    const before = readRoomRef(row?.room ?? null);
    await setConnectionRoom(record.db, caller.connectionId, room);
    if (before && before.roomId !== room?.roomId) await deps.occupancyChanged(before);
    if (room) await deps.occupancyChanged(room);
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

  /** Says that this process lives, and buries what does not. Every 5 s in every process. */
  async function tick(): Promise<void> {
    const nowMs = clock.now();
    await reportProcess(record.db, processId, nowMs);
    for (const row of await deadConnections(record.db, nowMs, nowMs - processSilenceMs)) {
      await deleteConnection(record.db, row.connection_id);
      const room = readRoomRef(row.room);
      if (room) await deps.occupancyChanged(room);
      await refresh(row.uid as Uid);
    }
    await forgetSilentProcesses(record.db, nowMs - processSilenceMs);
  }

  /** A stop in good order: whoever reconnects soon elsewhere was never gone. */
  async function stop(): Promise<void> {
    await letAllLinger(record.db, processId, clock.now() + lingerMs);
    await forgetProcess(record.db, processId);
  }

  return { opened, closed, moveTo, tick, stop };
}
export type PresenceService = ReturnType<typeof presenceService>;
