/**
 * The requests about saved queues. The server takes the tracks from the room and not from the page. Everything of a
 * queue is its owner's; a tunemate with whom it is shared reads it, and nothing else.
 */
import {
  isLibraryId,
  limits,
  type NamedTrack,
  type Result,
  type Uid,
  userStream,
  type Value,
  type VideoId,
  weights,
} from '@tunemate/protocol';
import type { Handlers } from '../../access/subjects.ts';
import { deliver, type DeliveryDeps, streamsOfDelivery } from '../../notifications/notifications.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { readPlayback } from '../../playback/playback-document.ts';
import { once } from '../../storage/idempotency.ts';
import { personOf } from '../../storage/people.ts';
import type { StreamRecord, Writing } from '../../storage/record.ts';
import type { Db, RoomRef } from '../../storage/schema.ts';
import { tracksWithin } from '../../storage/stored-track.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { isTunemate } from '../../tunemates/tunemates.ts';
import { allPlayedIn } from '../history/history-store.ts';
import {
  countQueuesOf,
  countReadersOf,
  deleteQueue,
  deleteQueuesOf,
  deleteShare,
  exportedQueues,
  exportedShares,
  insertQueue,
  isOwnQueue,
  mayRead,
  type NewQueue,
  queueFor,
  queuesFor,
  renameQueue,
  saveShare,
} from './queues-store.ts';

interface QueuesDeps extends DeliveryDeps {
  record: StreamRecord;
  /** Whether the library has this item. */
  isInLibrary: (item: VideoId) => boolean;
}

export function queuesService({ record, ids, notify, isInLibrary }: QueuesDeps) {
  async function insert(
    { db, nowMs }: Writing,
    queue: Omit<NewQueue, 'queueId' | 'nowMs'>,
  ): Promise<Result<Value<'queues/save'>>> {
    // A file takes a while to arrive, and its sender may have deleted their account meanwhile.
    if (!(await personOf(db, queue.uid))) return refuse('auth/required');
    if ((await countQueuesOf(db, queue.uid)) >= limits.savedQueues) return accept({ outcome: 'full' });
    if (queue.tracks.length === 0) return accept({ outcome: 'nothing' });
    await insertQueue(db, { ...queue, queueId: ids.newId(), nowMs });
    return accept({ outcome: 'saved' });
  }

  return {
    /** With what the library has no more. */
    async whole(uid: Uid, queueId: string): Promise<Result<{ name: string; tracks: readonly NamedTrack[] }>> {
      const saved = await queueFor(record.db, uid, queueId);
      return saved === null ? refuse('access/not-found') : accept(saved);
    },
    /** Of tracks that the server found by itself. */
    keep: (uid: Uid, { clientId, ...queue }: Omit<NewQueue, 'queueId' | 'uid' | 'nowMs'> & { clientId: string }) =>
      record.write([userStream(uid)], (writing) =>
        once<Value<'queues/save'>>(writing, uid, clientId, ['queues/m3u8', queue], () =>
          insert(writing, { ...queue, uid }),
        ),
      ),
    handlers: {
      'queues/list': async ({ uid }) => accept({ queues: await queuesFor(record.db, uid) }),
      'queues/read': async ({ uid }, { queueId }) => {
        const saved = await queueFor(record.db, uid, queueId);
        if (saved === null) return refuse('access/not-found');
        const tracks = saved.tracks.filter(({ videoId }) => !isLibraryId(videoId) || isInLibrary(videoId));
        return accept({ tracks, gone: saved.tracks.length - tracks.length });
      },
      'queues/save': ({ caller: { uid }, write }, { clientId, name, of }) =>
        write([userStream(uid)], (writing, { room: { kind, roomId } }) =>
          once<Value<'queues/save'>>(writing, uid, clientId, ['queues/save', roomId, name, of], async () =>
            insert(writing, { uid, kind, name, tracks: await sources[of](writing.db, { kind, roomId }) }),
          ),
        ),
      'queues/rename': ({ uid }, { queueId, name }) =>
        record.write([userStream(uid)], async ({ db }) =>
          (await renameQueue(db, uid, queueId, name)) ? accept({}) : refuse('access/not-found'),
        ),
      'queues/delete': ({ uid }, { queueId }) =>
        record.write([userStream(uid)], async ({ db }) => {
          await deleteQueue(db, uid, queueId);
          return accept({});
        }),
      'queues/share': ({ caller: { uid }, other, write }, { queueId, isOn }) =>
        write(
          (db) => streamsOfDelivery(db, other),
          (writing) => share(writing, { ids, notify }, { owner: uid, mate: other, queueId, isOn }),
        ),
    } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: (uid: Uid) => record.write([userStream(uid)], ({ db }) => deleteQueuesOf(db, uid)),
      exports: {
        savedQueues: (uid: Uid) => exportedQueues(record.db, uid),
        sharedQueues: (uid: Uid) => exportedShares(record.db, uid),
      },
    },
  };
}

interface Share {
  owner: Uid;
  mate: Uid;
  queueId: string;
  isOn: boolean;
}

async function share(
  writing: Writing,
  deps: DeliveryDeps,
  { owner, mate, queueId, isOn }: Share,
): Promise<Result<Nothing>> {
  const { db, nowMs } = writing;
  const person = await personOf(db, owner);
  if (!person) return refuse('auth/required');
  if (!(await isOwnQueue(db, owner, queueId))) return refuse('access/not-found');
  if (!isOn) {
    await deleteShare(db, queueId, mate);
    return accept({});
  }
  if (!(await isTunemate(db, owner, mate)) || (await isBlockedBetween(db, owner, mate))) {
    return refuse('access/forbidden');
  }
  if (await mayRead(db, queueId, mate)) return accept({});
  if ((await countReadersOf(db, queueId)) >= weights.queueShares) return refuse('limit/too-many');
  await saveShare(db, queueId, mate, nowMs);
  // One notification for all that a person shares: it says nothing of the queue.
  const { name } = person;
  await deliver(writing, deps, mate, { type: 'queue', senderName: name, senderUid: owner, room: null });
  return accept({});
}

/** Where the tracks of a new queue come from. */
const sources: Record<'queue' | 'played', (db: Db, room: RoomRef) => Promise<readonly NamedTrack[]>> = {
  queue: async (db, room) => (await readPlayback(db, room))?.playback.queue.videoQueue ?? [],
  // Of a very long evening the latest.
  played: async (db, { roomId }) =>
    tracksWithin((await allPlayedIn(db, roomId)).toReversed(), weights.queueBytes).toReversed(),
};
