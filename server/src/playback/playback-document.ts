/**
 * What a room plays: as the document of its kind, which snapshots carry, as it is stored, and how a write changes it.
 * The only file of the server that knows the documents of both kinds. Callers decide a change; each raises the revision
 * by one.
 */
import { roomRules, thumbnailOf } from '@tunemate/domain';
import { applyPlaybackChange, currentItem, type RoomPlayback } from '@tunemate/playback';
import {
  afterTrack,
  type AudioPlayback,
  isLibraryId,
  namedTrack,
  type PlaybackChange,
  type PlaybackDocument,
  playbackMoved,
  type QueuedTrack,
  queuedTrack,
  type Result,
  type RoomId,
  type RoomKind,
  roomStream,
  type TabId,
  type VideoPlayback,
} from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { padded } from '../storage/queries.ts';
import type { Writing } from '../storage/record.ts';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';
import { accept, refuse } from '../system/ports.ts';
import { noted, type Noted, notedAfter, notePlayed } from './played.ts';
import { removedAfter } from './put-back.ts';

/** What a room plays, free of its kind. */
export interface PlaybackState extends RoomPlayback<QueuedTrack> {
  /** A guest's track that the host removed last: put back, it is still whose it was. */
  readonly removed?: QueuedTrack | undefined;
  /** What was noted last among the tracks that the room has played. */
  readonly noted?: Noted | undefined;
}

/** A new room: nothing chosen, not playing, at time 0. */
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
const storedTrack = namedTrack.extend({ proposedBy: queuedTrack.shape.proposedBy });

const storedPlayback = playbackMoved.omit({ type: true }).extend({
  controller: z.uuid().nullable(),
  items: z.array(z.number().int().nonnegative()),
  afterTrack: afterTrack.optional(),
  removed: storedTrack.optional(),
  noted: noted.optional(),
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
    removed,
    noted: notedTrack,
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
    playback: {
      ...{ timeline, queue, controller, afterTrack: after ?? roomRules[kind].afterTrack },
      removed: removed && withPicture(removed),
      noted: notedTrack,
    },
    itemOf: new Map([...tracks].map(([item, track]) => [track, item])),
    longestRoundTripMs: document.round_trip_ms,
  };
}

function readTrack(json: string): QueuedTrack {
  return withPicture(storedTrack.parse(JSON.parse(json)));
}

const withPicture = (track: z.infer<typeof storedTrack>): QueuedTrack => ({
  ...track,
  thumbnail: thumbnailOf(track.videoId),
});

/** Saves what a room plays over what was read of it, of which only the difference is written. */
export async function savePlayback(
  db: Db,
  kind: RoomKind,
  roomId: RoomId,
  { timeline, queue, controller, afterTrack: after, removed: removedTrack, noted: notedTrack }: PlaybackState,
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
    removed: removedTrack && toStored(removedTrack),
    noted: notedTrack,
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

const writeTrack = (track: QueuedTrack): string => JSON.stringify(toStored(track));

const toStored = ({ videoId, title, durationSeconds, startSeconds, proposedBy }: QueuedTrack) => ({
  ...{ videoId, title, durationSeconds, startSeconds, proposedBy },
});

/** The whole document, for snapshots. */
export async function readPlaybackDocument(db: Db, kind: RoomKind, roomId: RoomId): Promise<PlaybackDocument | null> {
  const stored = await readPlayback(db, kind, roomId);
  return stored && toDocument(kind, stored.playback);
}

/** What the list of a person's rooms shows of one of them. */
export interface NowPlaying {
  isPlaying: boolean;
  /** Null in a room where nothing was chosen. */
  title: string | null;
  thumbnail: string | null;
}

/** What these rooms of a kind play now: in two statements, without their queues. A deleted room is absent. */
export async function nowPlayingIn(
  db: Db,
  kind: RoomKind,
  roomIds: readonly RoomId[],
): Promise<Map<RoomId, NowPlaying>> {
  const playing = new Map<RoomId, NowPlaying>();
  if (roomIds.length === 0) return playing;
  const rows = await db
    .selectFrom(roomTables[kind].playback)
    .select(['room_id', 'document'])
    .where('room_id', 'in', padded(roomIds))
    .execute();
  const current = new Map<string, number>();
  for (const { room_id: roomId, document } of rows) {
    const { items, currentIndex, isPlaying } = storedPlayback.parse(JSON.parse(document));
    playing.set(roomId as RoomId, { isPlaying, title: null, thumbnail: null });
    const item = items[currentIndex];
    if (item !== undefined) current.set(roomId, item);
  }
  if (current.size === 0) return playing;
  const tracks = await db
    .selectFrom('queue_items')
    .select(['room_id', 'track'])
    .where(({ or, and, eb }) =>
      or(padded([...current]).map(([roomId, item]) => and([eb('room_id', '=', roomId), eb('item', '=', item)]))),
    )
    .execute();
  for (const { room_id: roomId, track } of tracks) {
    const { title, thumbnail } = readTrack(track);
    playing.set(roomId as RoomId, { isPlaying: playing.get(roomId as RoomId)?.isPlaying ?? false, title, thumbnail });
  }
  return playing;
}

/** The tracks of the queue that are still to come. */
export async function waitingIn(db: Db, { kind, roomId }: RoomRef): Promise<readonly QueuedTrack[]> {
  const stored = await readPlayback(db, kind, roomId);
  return stored ? stored.playback.queue.videoQueue.slice(stored.playback.queue.currentIndex + 1) : [];
}

/** Creates the document of a new room, inside the room's own transaction. */
export async function startPlayback(writing: Writing, kind: RoomKind, roomId: RoomId): Promise<void> {
  await savePlayback(writing.db, kind, roomId, emptyPlayback(kind, writing.nowMs));
}

/** Gives the controls of a room to a tab of its host. */
export function giveControl(writing: Writing, room: RoomRef, controller: TabId) {
  return changePlayback(writing, room, ({ timeline }) =>
    accept({ type: 'playback/controlChanged', revision: timeline.revision + 1, controller }),
  );
}

/** Whether another track begins, or the same one anew. */
function beginsTrack({ timeline: before, queue }: PlaybackState, { timeline: after, queue: newQueue }: PlaybackState) {
  if (after.trackKey !== before.trackKey) return true;
  const isAtStart = after.positionSeconds === 0;
  return isAtStart && (before.positionSeconds !== 0 || currentItem(queue) !== currentItem(newQueue));
}

/** True when the room had votes. */
async function deleteSkipVotes(db: Db, roomId: RoomId): Promise<boolean> {
  const deleted = await db.deleteFrom('skip_votes').where('room_id', '=', roomId).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

type Decide = (
  before: PlaybackState,
  longestRoundTripMs: number | null,
) => Result<PlaybackChange | null> | Promise<Result<PlaybackChange | null>>;

/** What a write is about to change of what a room plays. */
interface Decision {
  before: PlaybackState;
  after: PlaybackState;
  /** Null where the room stays as it is: then `after` is `before`. */
  change: PlaybackChange | null;
  itemOf: StoredPlayback['itemOf'];
}

/** Decides and saves a change of what a room plays. */
export async function changePlayback(writing: Writing, room: RoomRef, decide: Decide): Promise<Result<Decision>> {
  const decided = await decideChange(writing, room, decide);
  if (decided.ok) await saveChange(writing, room, decided.value);
  return decided;
}

/** Reads and decides without writing; with a `query`, `decide` gets its result too. */
export async function decideChange(
  { db, nowMs }: Writing,
  { kind, roomId }: RoomRef,
  decide: Decide,
  query?: LongestRoundTripQuery,
): Promise<Result<Decision>> {
  const stored = await readPlayback(db, kind, roomId, query);
  if (!stored) return refuse('room/ended');
  const { playback: before, itemOf } = stored;
  const decided = await decide(before, stored.longestRoundTripMs);
  if (!decided.ok) return decided;
  const change = decided.value;
  if (!change) return accept({ before, after: before, change, itemOf });
  const received = applyPlaybackChange(before, change);
  if (received.status !== 'applied') throw new Error('a change of playback must raise the revision by one');
  const after = {
    ...received.playback,
    removed: removedAfter(before, change),
    noted: notedAfter(before.noted, received.playback, nowMs),
  };
  return accept({ before, after, change, itemOf });
}

/** Saves the change and appends it to the room's stream. A new track starts without votes to skip it. */
export async function saveChange(
  writing: Writing,
  { kind, roomId }: RoomRef,
  { before, after, change, itemOf }: Decision,
): Promise<void> {
  if (!change) return;
  await savePlayback(writing.db, kind, roomId, after, itemOf);
  await notePlayed(writing.db, roomId, before, after, change);
  await writing.append(roomStream(roomId), change);
  if (beginsTrack(before, after) && (await deleteSkipVotes(writing.db, roomId))) {
    await writing.append(roomStream(roomId), { type: 'rooms/skipVotesCleared' });
  }
}
