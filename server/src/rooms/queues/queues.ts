/**
 * The requests about saved queues. The server takes the tracks from the room and not from the page. Everything of a
 * queue is its owner's; a tunemate with whom it is shared reads it, and nothing else.
 */
import {
  isLibraryId,
  limits,
  type NamedTrack,
  type Uid,
  userStream,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import type { Handlers } from '../../access/subjects.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { readPlayback } from '../../playback/playback-document.ts';
import { once } from '../../storage/idempotency.ts';
import type { StreamRecord } from '../../storage/record.ts';
import type { Db, RoomRef } from '../../storage/schema.ts';
import { accept, type Ids, refuse } from '../../system/ports.ts';
import { isTunemate } from '../../tunemates/tunemates.ts';
import { allPlayedIn } from '../history/history-store.ts';
import {
  countQueuesOf,
  deleteQueue,
  deleteQueuesOf,
  exportedQueues,
  insertQueue,
  isOwnQueue,
  queuesFor,
  renameQueue,
  saveShare,
  tracksFor,
} from './queues-store.ts';

export interface QueuesDeps {
  record: StreamRecord;
  ids: Ids;
  /** Whether the library has this item; by default it has all. */
  isInLibrary?: ((item: VideoId) => boolean) | undefined;
}

export function queuesService({ record, ids, isInLibrary = () => true }: QueuesDeps) {
  return {
    handlers: {
      'queues/list': async ({ uid }) => accept({ queues: await queuesFor(record.db, uid) }),
      'queues/read': async ({ uid }, { queueId }) => {
        const saved = await tracksFor(record.db, uid, queueId);
        if (saved === null) return refuse('access/not-found');
        const tracks = saved.filter(({ videoId }) => !isLibraryId(videoId) || isInLibrary(videoId));
        return accept({ tracks, gone: saved.length - tracks.length });
      },
      'queues/save': ({ caller: { uid }, write }, { clientId, name, of }) =>
        write([userStream(uid)], (writing, { room: { kind, roomId } }) =>
          once<Value<'queues/save'>>(writing, uid, clientId, ['queues/save', roomId, name, of], async () => {
            const { db, nowMs } = writing;
            if ((await countQueuesOf(db, uid)) >= limits.savedQueues) return accept({ outcome: 'full' });
            const tracks = await sources[of](db, { kind, roomId });
            if (tracks.length === 0) return accept({ outcome: 'nothing' });
            await insertQueue(db, { queueId: ids.newId(), uid, kind, name, tracks, nowMs });
            return accept({ outcome: 'saved' });
          }),
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
        write([], async ({ db, nowMs }) => {
          if (!(await isOwnQueue(db, uid, queueId))) return refuse('access/not-found');
          const mayShare = !isOn || ((await isTunemate(db, uid, other)) && !(await isBlockedBetween(db, uid, other)));
          if (!mayShare) return refuse('access/forbidden');
          await saveShare(db, queueId, other, isOn, nowMs);
          return accept({});
        }),
    } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: (uid: Uid) => record.write([userStream(uid)], ({ db }) => deleteQueuesOf(db, uid)),
      exports: { savedQueues: (uid: Uid) => exportedQueues(record.db, uid) },
    },
  };
}

/** Where the tracks of a new queue come from. */
const sources: Record<'queue' | 'played', (db: Db, room: RoomRef) => Promise<readonly NamedTrack[]>> = {
  queue: async (db, { kind, roomId }) => (await readPlayback(db, kind, roomId))?.playback.queue.videoQueue ?? [],
  played: (db, { roomId }) => allPlayedIn(db, roomId),
};
