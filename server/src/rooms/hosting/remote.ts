/**
 * The remote of a room: the host lends it to people, or lets all members use it, and takes it back. A person who holds it
 * sends presses as the host does; whether they hold it is decided inside each write (`RoomNeed`).
 */
import { lent, remoteUsedBy } from '@tunemate/domain';
import { type Payload, type Remote, type Result, roomStream, type Uid } from '@tunemate/protocol';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import type { Writing } from '../../storage/record.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { invitedTo } from '../join/invitations.ts';
import { isMember, setRoom } from '../lifecycle/rooms-store.ts';

export const remoteHandlers = {
  'rooms/setRemote': async ({ write }: Member, { use }: Payload<'rooms/setRemote'>): Promise<Result<Nothing>> =>
    await write([], async (writing, { room }) => {
      if (use !== (room.remote?.use ?? 'host')) await setRemote(writing, room, remoteUsedBy(room.remote, use));
      return accept({});
    }),

  'rooms/lendRemote': async (
    { caller, write }: Member,
    { uid, isLent }: Payload<'rooms/lendRemote'>,
  ): Promise<Result<Nothing>> =>
    await write([], async (writing, { room }) => {
      if (uid === caller.uid) return refuse('input/invalid');
      if (!(await isMember(writing.db, room, uid)) && !(await invitedTo(writing.db, room.roomId)).includes(uid))
        return refuse('access/not-found');
      return await lend(writing, room, uid, isLent);
    }),

  'rooms/giveRemoteBack': async ({ caller, write }: Member): Promise<Result<Nothing>> =>
    await write([], async (writing, { room }) => await lend(writing, room, caller.uid, false)),
} satisfies Partial<Handlers>;

async function lend(writing: Writing, room: RoomRow, uid: Uid, isLent: boolean): Promise<Result<Nothing>> {
  if (room.remote?.holders.includes(uid) === isLent) return accept({});
  const after = lent(room.remote, uid, isLent);
  if (!after.ok) return after;
  if (after.value !== room.remote) await setRemote(writing, room, after.value);
  return accept({});
}

/** Takes the remote from a person who leaves the room. */
export async function dropRemoteOf(writing: Writing, room: RoomRow, uid: Uid): Promise<void> {
  if (room.remote?.holders.includes(uid) === true) await lend(writing, room, uid, false);
}

export async function setRemote(writing: Writing, room: RoomRow, remote: Remote | null): Promise<void> {
  await setRoom(writing.db, room, { remote: remote && JSON.stringify(remote) });
  await writing.append(roomStream(room.roomId), { type: 'rooms/remoteChanged', remote });
}
