/**
 * How the host moderates a room: what everybody is allowed, removing somebody, for a while or for good, and locking
 * the room so that nobody can ask to join.
 */
import { type Payload, type Result, roomStream } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import { accept, refuse } from '../../system/ports.ts';
import { removeGuest } from './removals.ts';
import type { RoomEndingsDeps, LeavingDeps } from '../lifecycle/room-endings.ts';
import { isMember, saveLocked, saveSwitch } from '../lifecycle/rooms-store.ts';

export type ModerationDeps = LeavingDeps & Pick<RoomEndingsDeps, 'log'>;
type Nothing = Record<string, never>;

export function moderationService(deps: ModerationDeps) {
  async function remove(
    { caller, write }: Member,
    { uid, forGood }: Payload<'rooms/removeParticipant'>,
  ): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if (uid === caller.uid) return refuse('input/invalid');
      const { kind, roomId } = room;
      if (!(await isMember(writing.db, kind, roomId, uid))) return refuse('access/not-found');
      await removeGuest(deps, writing, room, uid, forGood ? 'for-good' : 'for-now');
      deps.log.info({ kind, roomId, forGood }, 'room.participant-removed');
      return accept({});
    });
  }

  async function setLocked({ write }: Member, { isLocked }: Payload<'rooms/setLocked'>): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if (room.isLocked === isLocked) return accept({});
      await saveLocked(writing.db, room.kind, room.roomId, isLocked);
      await writing.append(roomStream(room.roomId), { type: 'rooms/locked', isLocked });
      deps.log.info({ kind: room.kind, roomId: room.roomId, isLocked }, 'room.locked');
      return accept({});
    });
  }

  async function setSwitch({ write }: Member, { name, isOn }: Payload<'rooms/setSwitch'>): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if (room[name] === isOn) return accept({});
      await saveSwitch(writing.db, room, name, isOn);
      await writing.append(roomStream(room.roomId), { type: 'rooms/switched', name, isOn });
      writing.afterCommit(() => deps.guestsChanged(room));
      return accept({});
    });
  }

  return {
    handlers: {
      'rooms/removeParticipant': remove,
      'rooms/setLocked': setLocked,
      'rooms/setSwitch': setSwitch,
    } satisfies Partial<Handlers>,
  };
}
