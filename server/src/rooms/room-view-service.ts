/**
 * Entering a room as a connection: where it stands, and from then on its changes. A seat is not a connection: closing
 * the page gives up nothing (JOIN-W13).
 */
import {
  type Payload,
  type PlaybackDocument,
  type RoomDocument,
  type RoomSnapshot,
  roomStream,
  type StreamId,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Clock, type Outcome } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { messagePage } from './room-chat-store.ts';
import { pendingRequests } from './requests-store.ts';
import { participantsOf, type RoomRow } from './rooms-store.ts';
import { check, type Standing, standingByCode } from './standing.ts';

type Db = Kysely<Schema>;

export interface RoomViewDeps {
  record: StreamRecord;
  clock: Clock;
  /** Null when it was deleted with the room a moment ago. */
  playbackOf: (db: Db, kind: RoomRow['kind'], roomId: RoomRow['roomId']) => Promise<PlaybackDocument | null>;
  isBlocked: (db: Db, by: Caller['uid'], whom: Caller['uid']) => Promise<boolean>;
  /** Reads while the stream stands still and then lets the connection follow it, so that nothing falls between. */
  attend: <T>(caller: Caller, stream: StreamId, read: () => Promise<Outcome<T>>) => Promise<Outcome<T>>;
  unattend: (caller: Caller, stream: StreamId) => void;
  /** Presence: which room this connection is in now; null for none. Answers the other room that it was in before. */
  moveTo: (caller: Caller, room: RoomRow | null) => Promise<{ roomId: RoomRow['roomId'] } | null>;
}

export function roomViewService(deps: RoomViewDeps) {
  const { record, clock } = deps;

  async function enter(caller: Caller, { kind, code }: Payload<'rooms/enter'>): Promise<Outcome<RoomSnapshot>> {
    const checked = check(await standingByCode(record.db, kind, code, caller.uid, clock.now()), 'member');
    if ('ok' in checked) return checked;
    const { room } = checked.standing;
    const left = await deps.moveTo(caller, room);
    // A connection is in one room at a time.
    if (left) deps.unattend(caller, roomStream(left.roomId));
    const entered = await deps.attend(caller, roomStream(room.roomId), () => snapshot(caller, room));
    if (!entered.ok) await deps.moveTo(caller, null);
    return entered;
  }

  async function snapshot(caller: Caller, known: RoomRow): Promise<Outcome<RoomSnapshot>> {
    // The number is read first: a change that slips in between is delivered again and changes nothing twice.
    const seq = await record.head(roomStream(known.roomId));
    const nowMs = clock.now();
    const checked = check(await standingByCode(record.db, known.kind, known.code, caller.uid, nowMs), 'member');
    if ('ok' in checked) return checked;
    const { room } = checked.standing;
    const playback = await deps.playbackOf(record.db, room.kind, room.roomId);
    if (!playback) return { ok: false, error: { code: 'room/ended' } };
    return accept({
      seq,
      room: await documentOf(room),
      requests: await requestsFor(checked.standing, nowMs),
      ...(await messagePage(record.db, room.kind, room.roomId, null)),
      playback,
      serverNowMs: nowMs,
    });
  }

  async function documentOf(room: RoomRow): Promise<RoomDocument> {
    return {
      kind: room.kind,
      roomId: room.roomId,
      code: room.code,
      name: room.name,
      host: room.host,
      createdAt: room.createdAtMs,
      isActive: room.isActive,
      hostAwaySince: room.hostAwaySinceMs,
      participants: await participantsOf(record.db, room),
    };
  }

  async function requestsFor({ room, role }: Standing, nowMs: number) {
    if (role !== 'host') return [];
    const pending = await pendingRequests(record.db, room.kind, room.roomId, nowMs);
    const hidden = await Promise.all(pending.map(({ uid }) => deps.isBlocked(record.db, room.host, uid)));
    return pending.filter((_, index) => !hidden[index]);
  }

  async function close(
    caller: Caller,
    { kind, code }: Payload<'rooms/close'>,
  ): Promise<Outcome<Record<string, never>>> {
    const standing = await standingByCode(record.db, kind, code, caller.uid, clock.now());
    if (standing) {
      deps.unattend(caller, roomStream(standing.room.roomId));
      await deps.moveTo(caller, null);
    }
    return accept({});
  }

  return { enter, close };
}
export type RoomViewService = ReturnType<typeof roomViewService>;
