/**
 * The remote of a room: the host lends it to people and takes it back; that all members have it is a setting. A person who
 * holds it sends presses as the host does; whether they hold it is decided inside each write (`RoomNeed`).
 */
import { lent } from '@tunemate/domain';
import type { Payload, Result, Uid } from '@tunemate/protocol';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import type { Writing } from '../../storage/record.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { invitedTo } from '../join/invitations.ts';
import { isMember } from '../lifecycle/rooms-store.ts';
import { changeSettings } from './settings.ts';

export const remoteHandlers = {
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
  if (room.remoteHolders.includes(uid) === isLent) return accept({});
  const after = lent(room, uid, isLent);
  if (!after.ok) return after;
  await changeSettings(writing, room, after.value);
  return accept({});
}

/** Takes the remote from a person who leaves the room, or is no longer invited to it. */
export async function dropRemoteOf(writing: Writing, room: RoomRow, uid: Uid): Promise<void> {
  if (room.remoteHolders.includes(uid)) await lend(writing, room, uid, false);
}
