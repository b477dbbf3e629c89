/**
 * Order in a room, kept by its host: removing somebody, for a while or for good, and locking the room so that nobody
 * can ask to join.
 */
import { type Payload, type Result, roomStream } from '@tunemate/protocol';
import type { Handlers, Member } from '../access/subjects.ts';
import { accept, refuse } from '../ports.ts';
import { personOf } from '../storage/people.ts';
import { forgetInvitation } from './invitations-store.ts';
import { saveRequest } from './requests-store.ts';
import { giveUpMembership, type RoomEndingsDeps } from './room-endings.ts';
import { isMember, saveLocked } from './rooms-store.ts';

export type OrderDeps = Pick<RoomEndingsDeps, 'log' | 'removeFromRoom'>;
type Nothing = Record<string, never>;

export function orderService(deps: OrderDeps) {
  async function remove(
    { room, caller, write }: Member,
    { uid, forGood }: Payload<'rooms/removeParticipant'>,
  ): Promise<Result<Nothing>> {
    if (uid === caller.uid) return refuse('input/invalid');
    const { kind, roomId } = room;
    return await write([], async (writing) => {
      const { db, nowMs } = writing;
      if (!(await isMember(db, kind, roomId, uid))) return refuse('access/not-found');
      await giveUpMembership(deps, writing, room, uid, forGood ? 'for-good' : 'for-now');
      await forgetInvitation(db, roomId, uid);
      const name = (await personOf(db, uid))?.name ?? '';
      const status = forGood ? 'barred' : 'removed';
      const removal = { status, askedAtMs: nowMs, renewedAtMs: nowMs, answeredAtMs: nowMs, timesDeclined: 0 } as const;
      await saveRequest(db, kind, roomId, { uid, name }, removal);
      deps.log.info({ kind, roomId, forGood }, 'room.participant-removed');
      return accept({});
    });
  }

  async function setLocked(
    { room, write }: Member,
    { isLocked }: Payload<'rooms/setLocked'>,
  ): Promise<Result<Nothing>> {
    return await write([], async (writing, now) => {
      if (now.room.isLocked === isLocked) return accept({});
      await saveLocked(writing.db, room.kind, room.roomId, isLocked);
      await writing.append(roomStream(room.roomId), { type: 'rooms/locked', isLocked });
      deps.log.info({ kind: room.kind, roomId: room.roomId, isLocked }, 'room.locked');
      return accept({});
    });
  }

  return {
    handlers: { 'rooms/removeParticipant': remove, 'rooms/setLocked': setLocked } satisfies Partial<Handlers>,
  };
}
