/**
 * The requests to create, look up and leave a room. When the host leaves, the room ends for everyone.
 */
import { limits, userStream, type Payload, type RoomKind, type Result } from '@tunemate/protocol';
import type { Handlers, Member, RoomRow, RoomStreams } from '../../access/subjects.ts';
import { accept, type Ids, refuse } from '../../system/ports.ts';
import type { Caller } from '../../access/caller.ts';
import { isDuplicate } from '../../storage/failures.ts';
import { once } from '../../storage/idempotency.ts';
import { mayHost } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import { endRoom, giveUpMembership, type RoomEndingsDeps, streamsOfEnd } from './room-endings.ts';
import { addMember, insertRoom, liveRoomsHostedBy, type NewRoom } from './rooms-store.ts';

const codeAttempts = 8;

export interface RoomsDeps extends RoomEndingsDeps {
  ids: Ids;
  /** Creates the playback document of a new room inside its transaction. */
  startPlayback: (writing: Writing, kind: RoomKind, roomId: RoomRow['roomId']) => Promise<void>;
}

export function roomsService(deps: RoomsDeps) {
  async function create(caller: Caller, payload: Payload<'rooms/create'>) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tryToCreate(deps, caller, payload);
      } catch (error) {
        // The code belongs to another live room: draw again.
        if (attempt === codeAttempts || !isDuplicate(error)) throw error;
      }
    }
  }

  async function leave(
    { caller, read, write }: Member,
    { ends }: Payload<'rooms/leave'>,
  ): Promise<Result<Record<string, never>>> {
    return await read(({ room, role }) => {
      const others: RoomStreams = role === 'host' ? (_, db) => streamsOfEnd(db, room, deps.clock.now()) : [];
      return write(others, async (writing, now) => {
        const endsNow = now.role === 'host';
        // The streams were named by the role of then, too.
        if (endsNow !== (ends ?? role === 'host')) return refuse('room/host-changed');
        if (!endsNow) await giveUpMembership(deps, writing, room, caller.uid);
        else {
          await endRoom(deps, writing, room, 'host-left');
          if (room.isHostWarned) await deps.hostNews.takeBack(writing, room);
        }
        return accept({});
      });
    });
  }

  return {
    handlers: {
      'rooms/create': create,
      'rooms/lookUp': ({ read }) =>
        read(({ room, role }) => accept({ kind: room.kind, code: room.code, isHost: role === 'host' })),
      'rooms/leave': leave,
    } satisfies Partial<Handlers>,
  };
}

function tryToCreate(
  { record, ids, log, startPlayback }: RoomsDeps,
  caller: Caller,
  { kind, name, clientId }: Payload<'rooms/create'>,
) {
  return record.write([userStream(caller.uid)], (writing) =>
    once(writing, caller.uid, clientId, ['rooms/create', kind, name], async () => {
      // What ends an account, or disables it, ends its rooms once; a room created after that would never end.
      if (!(await mayHost(writing.db, caller.uid))) return refuse('auth/required');
      const hosted = await liveRoomsHostedBy(writing.db, caller.uid);
      if (hosted.length >= limits.liveRoomsPerHost) return refuse('room/too-many-live-rooms');
      const room: NewRoom = {
        kind,
        name,
        roomId: ids.newId() as RoomRow['roomId'],
        code: ids.newRoomCode() as RoomRow['code'],
        host: caller.uid,
        createdAtMs: writing.nowMs,
      };
      await insertRoom(writing.db, room);
      await addMember(writing.db, kind, room.roomId, caller.uid, writing.nowMs);
      await startPlayback(writing, kind, room.roomId);
      log.info({ kind, roomId: room.roomId, uid: caller.uid }, 'room.created');
      return accept({ code: room.code });
    }),
  );
}
