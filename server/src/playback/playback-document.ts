/**
 * What a room plays: as the document of its kind, which snapshots carry, and as it is stored. The only place of the
 * server that knows the documents of both kinds.
 */
import { roomRules, thumbnailOf } from '@tunemate/domain';
import { currentItem, type RoomPlayback } from '@tunemate/playback';
import {
  afterTrack,
  type AudioPlayback,
  isLibraryId,
  namedTrack,
  type PlaybackDocument,
  playbackMoved,
  type QueuedTrack,
  queuedTrack,
  type RoomId,
  type RoomKind,
  type VideoPlayback,
} from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';

/** What a room plays, free of its kind. */
export type PlaybackState = RoomPlayback<QueuedTrack>;

/** A room in which nothing was chosen yet: not playing, at time 0. */
export function emptyPlayback(kind: RoomKind, nowMs: number): PlaybackState {
  return {
    timeline: { revision: 0, trackKey: null, isPlaying: false, positionSeconds: 0, atServerMs: nowMs },
    queue: { videoQueue: [], currentIndex: 0 },
    controller: null,
    afterTrack: roomRules[kind].afterTrack,
  };
}

/** The document of this state, with the field names of the protocol. */
export function toDocument(kind: RoomKind, state: PlaybackState): PlaybackDocument {
  return writers[kind](state);
}

function commonFields({ timeline, queue, controller }: PlaybackState) {
  return {
    revision: timeline.revision,
    isPlaying: timeline.isPlaying,
    currentTime: timeline.positionSeconds,
    updatedAt: timeline.atServerMs,
    durationSeconds: currentItem(queue)?.durationSeconds ?? null,
    controller,
  };
}

const writers: Record<RoomKind, (state: PlaybackState) => PlaybackDocument> = {
  video: (state): VideoPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'video',
      ...commonFields(state),
      currentVideoId: track?.videoId ?? null,
      currentVideoTitle: track?.title ?? roomRules.video.initialTitle,
      currentIndex: state.queue.currentIndex,
      videoQueue: [...state.queue.videoQueue],
    };
  },
  audio: (state): AudioPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'audio',
      ...commonFields(state),
      videoId: track?.videoId ?? null,
      audioUrl: track && isLibraryId(track.videoId) ? `/media/${track.videoId}` : '',
      title: track?.title ?? roomRules.audio.initialTitle,
      thumbnail: track?.thumbnail ?? null,
      currentIndex: state.queue.currentIndex,
      audioQueue: [...state.queue.videoQueue],
      afterTrack: state.afterTrack,
    };
  },
};

/**
 * As it is stored: the room's own row holds the timeline and the order of the items, and each item of the queue has a
 * row, so that neither a pause nor one more item writes the others again.
 */
const storedPlayback = playbackMoved.omit({ type: true }).extend({
  controller: z.uuid().nullable(),
  items: z.array(z.number().int().nonnegative()),
  afterTrack: afterTrack.optional(),
});

interface StoredPlayback {
  playback: PlaybackState;
  /** The row of each track of the queue. */
  itemOf: ReadonlyMap<QueuedTrack, number>;
  /** Of the room's connections; null where none was measured, or it was not asked for. */
  longestRoundTripMs: number | null;
}

/** Asks for the longest round trip of a room, in milliseconds. */
export type LongestRoundTripQuery = (db: Db, room: RoomRef) => RawBuilder<number | null>;

export async function readPlayback(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  longest?: LongestRoundTripQuery,
): Promise<StoredPlayback | null> {
  // One statement, so that the document and the tracks it names are of one moment.
  const rows = await db
    .selectFrom(roomTables[kind].playback)
    .select([
      sql<number>`-1`.as('item'),
      'document as json',
      (longest?.(db, { kind, roomId }) ?? sql<null>`null`).as('round_trip_ms'),
    ])
    .where('room_id', '=', roomId)
    .unionAll(
      db
        .selectFrom('queue_items')
        .select(['item', 'track as json', sql<number | null>`null`.as('round_trip_ms')])
        .where('room_id', '=', roomId),
    )
    .execute();
  const document = rows.find(({ item }) => item === -1);
  if (!document) return null;
  const {
    items,
    controller,
    currentIndex,
    afterTrack: after,
    ...playhead
  } = storedPlayback.parse(JSON.parse(document.json));
  const tracks = new Map(rows.filter((row) => row !== document).map(({ item, json }) => [item, readTrack(json)]));
  const videoQueue = items.flatMap((item) => tracks.get(item) ?? []);
  const queue = { videoQueue, currentIndex };
  const timeline = {
    revision: playhead.revision,
    trackKey: currentItem(queue)?.videoId ?? null,
    isPlaying: playhead.isPlaying,
    positionSeconds: playhead.currentTime,
    atServerMs: playhead.updatedAt,
  };
  return {
    playback: { timeline, queue, controller, afterTrack: after ?? roomRules[kind].afterTrack },
    itemOf: new Map([...tracks].map(([item, track]) => [track, item])),
    longestRoundTripMs: document.round_trip_ms,
  };
}

const storedTrack = namedTrack.extend({ proposedBy: queuedTrack.shape.proposedBy });

function readTrack(json: string): QueuedTrack {
  const track = storedTrack.parse(JSON.parse(json));
  return { ...track, thumbnail: thumbnailOf(track.videoId) };
}

/** Saves what a room plays over what was read of it, of which only the difference is written. */
export async function savePlayback(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  { timeline, queue, controller, afterTrack: after }: PlaybackState,
  itemOf: StoredPlayback['itemOf'] = new Map(),
): Promise<void> {
  let last = Math.max(-1, ...itemOf.values());
  const items = new Map(queue.videoQueue.map((track) => [track, itemOf.get(track) ?? (last += 1)]));
  const added = [...items].filter(([track]) => !itemOf.has(track));
  const removed = [...itemOf].filter(([track]) => !items.has(track)).map(([, item]) => item);
  const document = {
    revision: timeline.revision,
    isPlaying: timeline.isPlaying,
    currentTime: timeline.positionSeconds,
    updatedAt: timeline.atServerMs,
    currentIndex: queue.currentIndex,
    controller,
    afterTrack: after,
    items: [...items.values()],
  };
  const values = { revision: timeline.revision, document: JSON.stringify(document) };
  await db
    .insertInto(roomTables[kind].playback)
    .values({ room_id: roomId, ...values })
    .onConflict((conflict) => conflict.column('room_id').doUpdateSet(values))
    .execute();
  if (removed.length > 0) {
    await db.deleteFrom('queue_items').where('room_id', '=', roomId).where('item', 'in', removed).execute();
  }
  if (added.length > 0) {
    const rows = added.map(([track, item]) => ({ room_id: roomId, item, track: writeTrack(track) }));
    await db.insertInto('queue_items').values(rows).execute();
  }
}

function writeTrack({ videoId, title, durationSeconds, startSeconds, proposedBy }: QueuedTrack): string {
  return JSON.stringify({ videoId, title, durationSeconds, startSeconds, proposedBy });
}

/** The whole document, for snapshots. */
export async function readPlaybackDocument(db: Db, kind: RoomKind, roomId: RoomId): Promise<PlaybackDocument | null> {
  const stored = await readPlayback(db, kind, roomId);
  return stored && toDocument(kind, stored.playback);
}

/** The tracks of the queue that are still to come. */
export async function waitingIn(db: Db, { kind, roomId }: RoomRef): Promise<readonly QueuedTrack[]> {
  const stored = await readPlayback(db, kind, roomId);
  return stored ? stored.playback.queue.videoQueue.slice(stored.playback.queue.currentIndex + 1) : [];
}
