/**
 * Two people of one room become tunemates: one asks, the other accepts or declines by the notification. The host's accept
 * adds them without asking (`joinAnswersService`); this is the way of two guests. Both are put on the list of the room's
 * kind, with its bounds. A person who blocked the other, or is blocked, notices nothing and is asked nothing.
 */
import { type Payload, type Result, type Uid, userStream } from '@tunemate/protocol';
import type { Caller } from '../../access/caller.ts';
import type { Handlers, Member, RoomRow, RoomStreams } from '../../access/subjects.ts';
import { findNotification, findNotificationFrom } from '../../notifications/notifications-store.ts';
import {
  deliver,
  type DeliveryDeps,
  streamsOfDelivery,
  streamsOfNotice,
  withdraw,
} from '../../notifications/notifications.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { once } from '../../storage/idempotency.ts';
import { personOf } from '../../storage/people.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { connect, type Dropped, isTunemate } from '../../tunemates/tunemates.ts';
import { isMember } from '../lifecycle/rooms-store.ts';

interface TunemateRequestsDeps extends DeliveryDeps {
  record: StreamRecord;
  hearing: { dropped: Dropped };
}

export function tunemateRequestsService(deps: TunemateRequestsDeps) {
  const { record } = deps;

  async function ask({ caller, write }: Member, { clientId, uid }: Payload<'tunemates/ask'>): Promise<Result<Nothing>> {
    const streams: RoomStreams = async (_room, db) => [userStream(caller.uid), ...(await streamsOfDelivery(db, uid))];
    return await write(streams, (writing, { room }) => {
      const { roomId } = room;
      const asked = ['tunemates/ask', roomId, uid];
      return once(writing, caller.uid, clientId, asked, () => askInside(deps, writing, room, caller.uid, uid), {
        roomId,
      });
    });
  }

  async function acceptRequest({ uid }: Caller, { id }: Payload<'tunemates/accept'>): Promise<Result<Nothing>> {
    return await record.write(streamsOfNotice(uid, id), (writing) =>
      // A second accept gets the answer of the first: the notification is gone by then.
      once(writing, uid, id, 'tunemates/accept', () => acceptInside(deps, writing, uid, id)),
    );
  }

  async function decline({ uid }: Caller, { id }: Payload<'tunemates/decline'>): Promise<Result<Nothing>> {
    return await record.write([userStream(uid)], async (writing) => {
      const notice = await findNotification(writing.db, uid, id);
      if (notice?.type !== 'tunemate') return refuse('access/not-found');
      await withdraw(writing, uid, id);
      return accept({});
    });
  }

  return {
    handlers: {
      'tunemates/ask': ask,
      'tunemates/accept': acceptRequest,
      'tunemates/decline': decline,
    } satisfies Partial<Handlers>,
  };
}

async function askInside(
  deps: TunemateRequestsDeps,
  writing: Writing,
  room: RoomRow,
  uid: Uid,
  asked: Uid,
): Promise<Result<Nothing>> {
  const { db } = writing;
  const { kind, roomId, code, name, host } = room;
  if (asked === uid) return refuse('input/invalid');
  if (asked !== host && !(await isMember(db, room, asked))) return refuse('access/not-found');
  const me = await personOf(db, uid);
  if (!me) return refuse('auth/required');
  if (await isBlockedBetween(db, uid, asked)) return accept({});
  if ((await isTunemate(db, uid, asked)) && (await isTunemate(db, asked, uid))) return accept({});
  const crossing = await findNotificationFrom(db, uid, asked, 'tunemate');
  if (crossing) {
    await withdraw(writing, uid, crossing.id);
    await connect(writing, crossing.room?.kind ?? kind, uid, asked, deps.hearing.dropped);
    return accept({});
  }
  const request = {
    type: 'tunemate',
    senderName: me.name,
    senderUid: uid,
    room: { kind, code, name, letsInUntil: null, hasEnded: false },
  } as const;
  await deliver(writing, deps, asked, request, roomId);
  return accept({});
}

async function acceptInside(
  { hearing }: TunemateRequestsDeps,
  writing: Writing,
  uid: Uid,
  id: string,
): Promise<Result<Nothing>> {
  const { db } = writing;
  const notice = await findNotification(db, uid, id);
  if (notice?.type !== 'tunemate') return refuse('access/not-found');
  await withdraw(writing, uid, id);
  // The asker may have blocked this person since, or deleted the account: then no tunemate is added, without a reason.
  const canMeet = !(await isBlockedBetween(db, uid, notice.senderUid)) && (await personOf(db, notice.senderUid));
  if (canMeet) await connect(writing, notice.room?.kind ?? 'video', uid, notice.senderUid, hearing.dropped);
  return accept({});
}
