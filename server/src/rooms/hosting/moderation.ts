/** How the host removes a person from a room, for a while or for good, and what a block does to rooms. */
import {
  hostStream,
  type Payload,
  type Result,
  roomStream,
  type StreamId,
  type Uid,
  userStream,
} from '@tunemate/protocol';
import type { Handlers, Member, RoomRow } from '../../access/subjects.ts';
import { personOf, shownName } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { forgetInvitation } from '../join/invitations.ts';
import { saveRequest, setRequestStatus } from '../join/join-requests-store.ts';
import { hideRequest } from '../join/join-requests.ts';
import { type EndingDeps, giveUpMembership } from '../lifecycle/room-endings.ts';
import { isMember, liveRoomsHostedBy } from '../lifecycle/rooms-store.ts';
import { membershipAgain } from '../members/membership.ts';
import { dropRemoteOf } from './remote.ts';

type ModerationDeps = Pick<EndingDeps, 'log' | 'guestsChanged' | 'hearing'>;
export function moderationService(deps: ModerationDeps) {
  async function remove(
    { caller, write }: Member,
    { uid, forGood }: Payload<'rooms/removeParticipant'>,
  ): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if (uid === caller.uid) return refuse('input/invalid');
      const { kind, roomId } = room;
      if (!(await isMember(writing.db, room, uid))) return refuse('access/not-found');
      await removeGuest(deps, writing, room, uid, forGood ? 'for-good' : 'for-now');
      deps.log.info({ kind, roomId, forGood }, 'room.participant-removed');
      return accept({});
    });
  }

  return {
    handlers: { 'rooms/removeParticipant': remove } satisfies Partial<Handlers>,
  };
}

/** Takes a participant out, who may not come back for a while or for good. */
export async function removeGuest(
  deps: Pick<EndingDeps, 'guestsChanged' | 'hearing'>,
  writing: Writing,
  room: RoomRow,
  uid: Uid,
  removed: 'for-now' | 'for-good',
): Promise<void> {
  const { db, nowMs } = writing;
  await giveUpMembership(deps, writing, room, uid, removed);
  await forgetInvitation(db, room.roomId, uid);
  const name = shownName((await personOf(db, uid))?.name);
  const status = removed === 'for-good' ? 'barred' : 'removed';
  const removal = { status, askedAtMs: nowMs, renewedAtMs: nowMs, answeredAtMs: nowMs, timesDeclined: 0 } as const;
  await saveRequest(db, room, { uid, name }, removal);
}

/**
 * For a block: takes the blocked person, member or waiting, out of the live rooms of the blocker, and ends what the
 * blocker has asked or was offered at theirs. `streams` are those it appends to.
 */
export const dismissalFrom = (deps: Pick<EndingDeps, 'guestsChanged' | 'hearing'>) => ({
  streams: async (db: Db, blocker: Uid, blocked: Uid): Promise<StreamId[]> => {
    const rooms = [...(await liveRoomsHostedBy(db, blocker)), ...(await liveRoomsHostedBy(db, blocked))];
    return rooms.flatMap(({ roomId }) => [roomStream(roomId), hostStream(roomId)]);
  },

  async apply(writing: Writing, blocker: Uid, blocked: Uid): Promise<void> {
    for (const room of await liveRoomsHostedBy(writing.db, blocker)) {
      await forgetInvitation(writing.db, room.roomId, blocked);
      const now = await membershipAgain(writing.db, room, blocked, writing.nowMs);
      if (now?.role === 'participant') await removeGuest(deps, writing, room, blocked, 'for-now');
      else await dropRemoteOf(writing, room, blocked);
      // The request itself stays, so that its sender can't see that they are blocked.
      if (now?.role === 'pending' && now.request)
        await hideRequest(writing, room.roomId, blocked, now.request.askedAtMs);
    }
    for (const room of await liveRoomsHostedBy(writing.db, blocked)) {
      await forgetInvitation(writing.db, room.roomId, blocker);
      const own = await membershipAgain(writing.db, room, blocker, writing.nowMs);
      if (own?.role !== 'participant') await dropRemoteOf(writing, room, blocker);
      if (own?.role === 'pending' && own.request) await endOwnRequest(writing, room, blocker, own.request.askedAtMs);
    }
  },
});

/** Ends the blocker's own request, as if its page had gone. */
async function endOwnRequest(writing: Writing, room: RoomRow, uid: Uid, askedAtMs: number): Promise<void> {
  const { kind, roomId, code } = room;
  await setRequestStatus(writing.db, room, uid, 'lapsed');
  await hideRequest(writing, roomId, uid, askedAtMs);
  await writing.append(userStream(uid), { type: 'rooms/requestAnswered', kind, code, answer: 'lapsed' });
}
