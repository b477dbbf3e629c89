/**
 * Opening a room again that ended: a new room with its name, kind and settings and the queue from where it stopped. Who
 * was there last is invited, as far as the host may invite them.
 */
import { withThumbnail } from '@tunemate/domain';
import { type Payload, type Result, type RoomId, type Uid, userStream, type Value } from '@tunemate/protocol';
import type { Caller } from '../../access/caller.ts';
import type { Handlers } from '../../access/subjects.ts';
import { streamsOfDelivery } from '../../notifications/notifications.ts';
import { isFriend } from '../../people/ties.ts';
import { emptyPlayback, savePlayback } from '../../playback/playback-document.ts';
import { once } from '../../storage/idempotency.ts';
import { personOf } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db, RoomRef } from '../../storage/schema.ts';
import { accept, refuse } from '../../system/ports.ts';
import { deliverInvitation } from '../join/invitations.ts';
import { endedRoomOf, endedRoomsOf, forgetEndedRoom, peopleLastIn, type StoredQueue } from './ended-rooms.ts';
import type { EndingDeps } from './room-endings.ts';
import { createInside, withFreeCode } from './rooms.ts';
import { setRoom } from './rooms-store.ts';

type Opened = Result<Value<'rooms/openAgain'>>;

export function openingAgainService(deps: EndingDeps) {
  const { record, clock, ids } = deps;

  const openAgain = ({ uid }: Caller, { clientId, roomId: endedId }: Payload<'rooms/openAgain'>): Promise<Opened> =>
    withFreeCode(() => {
      const roomId = ids.newId() as RoomId;
      const work = (writing: Writing) => openInside(deps, writing, { host: uid, endedId, roomId });
      return record.write(
        async (db) => [userStream(uid), ...(await streamsOfInvitations(db, uid, endedId))],
        // After its end the room is no answer any more.
        (writing) => once(writing, uid, clientId, ['rooms/openAgain', endedId], () => work(writing), { roomId }),
      );
    });

  return {
    handlers: {
      'rooms/before': async ({ uid }) => accept({ rooms: await endedRoomsOf(record.db, uid, clock.now()) }),
      'rooms/openAgain': openAgain,
    } satisfies Partial<Handlers>,
  };
}

async function streamsOfInvitations(db: Db, host: Uid, endedId: RoomId) {
  const invited = await peopleToInvite(db, host, endedId);
  return (await Promise.all(invited.map((uid) => streamsOfDelivery(db, uid)))).flat();
}

async function peopleToInvite(db: Db, host: Uid, endedId: RoomId): Promise<Uid[]> {
  const mine: Uid[] = [];
  for (const uid of await peopleLastIn(db, host, endedId)) if (await isFriend(db, host, uid)) mine.push(uid);
  return mine;
}

interface Opening {
  host: Uid;
  endedId: RoomId;
  /** Of the new room. */
  roomId: RoomId;
}

async function openInside(deps: EndingDeps, writing: Writing, { host, endedId, roomId }: Opening): Promise<Opened> {
  const { db, nowMs } = writing;
  const me = await personOf(db, host);
  const ended = await endedRoomOf(db, host, endedId, nowMs);
  if (!me || !ended) return refuse('access/not-found');
  const { kind, name, settings, queue } = ended;
  const created = await createInside(deps, writing, { kind, name, roomId, host });
  if (!created.ok) return created;
  const room = created.value;
  await setRoom(db, room, { settings });
  await savePlayback(db, room, playbackOf(kind, queue, nowMs));
  const invited = await peopleToInvite(db, host, endedId);
  for (const uid of invited) await deliverInvitation(deps, writing, me, uid, room);
  await forgetEndedRoom(db, endedId);
  return accept({ kind, code: room.code, invited: invited.length });
}

/** Paused where the queue stopped. */
function playbackOf(kind: RoomRef['kind'], { tracks, positionSeconds, afterTrack }: StoredQueue, nowMs: number) {
  const empty = emptyPlayback(kind, nowMs);
  const queue = { videoQueue: tracks.map(withThumbnail), currentIndex: 0 };
  const timeline = { ...empty.timeline, trackKey: tracks[0]?.videoId ?? null, positionSeconds };
  return { ...empty, timeline, queue, afterTrack };
}
