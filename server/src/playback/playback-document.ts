/**
 * What a room plays: as it is stored, how a write changes it, and what counts as played. Callers decide a change; each
 * raises the revision by one.
 */
import { roomRules, thumbnailOf, withThumbnail } from '@tunemate/domain';
import { applyPlaybackChange, currentItem, endsAtMs, type Queue, type RoomPlayback } from '@tunemate/playback';
import {
  afterTrack,
  isLibraryId,
  type NamedTrack,
  type PlaybackChange,
  playbackMoved,
  type QueuedTrack,
  type Result,
  type RoomId,
  type RoomKind,
  roomStream,
  type TabId,
  type VideoId,
  videoId,
} from '@tunemate/protocol';
import { z } from 'zod';
import type { Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import { storedQueuedTrack } from '../storage/stored-track.ts';
import { accept, refuse } from '../system/ports.ts';
import { rowsOfPlayback, saveDocument } from './playback-rows.ts';

/** What a room plays, free of its kind. */
export interface PlaybackState extends RoomPlayback<QueuedTrack> {
  /** A guest's track that the host removed last: put back, it is still whose it was. */
  readonly removed?: QueuedTrack | undefined;
  /** What was noted last among the tracks that the room has played. */
  readonly noted?: Noted | undefined;
  /** The revision of the last press, where `by` is known. */
  readonly actedAt?: number | undefined;
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

/** The entry of the track that played last: its number within the room, and when the track began. */
const noted = z.strictObject({ videoId, number: z.number().int().positive(), atMs: z.number() });
type Noted = z.infer<typeof noted>;

/**
 * As it is stored: the room's own row holds the timeline and the order of the items, and each item of the queue has a
 * row, so that neither a pause nor one more item writes the others again.
 */
export const storedPlayback = playbackMoved.omit({ type: true }).extend({
  actedAt: z.number().optional(),
  controller: z.uuid().nullable(),
  items: z.array(z.number().int().nonnegative()),
  afterTrack: afterTrack.optional(),
  removed: storedQueuedTrack.optional(),
  noted: noted.optional(),
});

interface StoredPlayback {
  playback: PlaybackState;
  /** The row of each track of the queue. */
  itemOf: ReadonlyMap<QueuedTrack, number>;
  /** A person in the room shows what they hear. */
  isHeard: boolean;
  /** Of the room's connections; null where none was measured, or it was not asked for. */
  longestRoundTripMs: number | null;
}

export async function readPlayback(
  db: Db,
  room: RoomRef,
  { withRoundTrip = false } = {},
): Promise<StoredPlayback | null> {
  const rows = await rowsOfPlayback(db, room, { withRoundTrip });
  const document = rows.find(({ item }) => item === -1);
  if (!document) return null;
  const {
    items,
    controller,
    currentIndex,
    afterTrack: after,
    removed,
    noted: notedTrack,
    by,
    actedAt,
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
      ...{ timeline, queue, controller, afterTrack: after ?? roomRules[room.kind].afterTrack },
      removed: removed && withPicture(removed),
      noted: notedTrack,
      ...(by !== undefined && { by, actedAt }),
    },
    itemOf: new Map([...tracks].map(([item, track]) => [track, item])),
    isHeard: Boolean(document.is_heard),
    longestRoundTripMs: document.round_trip_ms,
  };
}

export function readTrack(json: string): QueuedTrack {
  return withPicture(storedQueuedTrack.parse(JSON.parse(json)));
}

const withPicture = (track: z.infer<typeof storedQueuedTrack>): QueuedTrack => ({
  ...track,
  thumbnail: thumbnailOf(track.videoId),
});

/** When a track of the library ends, in server time; null where it does not, or where only its player knows when. */
export function trackEndMs({ timeline, queue }: PlaybackState): number | null {
  if (timeline.trackKey === null || !isLibraryId(timeline.trackKey)) return null;
  return endsAtMs(timeline, currentItem(queue)?.durationSeconds ?? null);
}

/** As it is stored. */
export function storedEndMs(state: PlaybackState): number | null {
  const endMs = trackEndMs(state);
  return endMs === null ? null : Math.ceil(endMs);
}

/** Saves what a room plays over what was read of it, of which only the difference is written. */
export async function savePlayback(
  db: Db,
  room: RoomRef,
  state: PlaybackState,
  itemOf: StoredPlayback['itemOf'] = new Map(),
): Promise<void> {
  const { roomId } = room;
  const { timeline, queue, controller, afterTrack: after, removed: removedTrack, noted: notedTrack } = state;
  const { by, actedAt } = state;
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
    ...{ by, actedAt },
  };
  await saveDocument(db, room, {
    revision: timeline.revision,
    document: JSON.stringify(document),
    endsAtMs: storedEndMs(state),
  });
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

/** What its people hear: its track while that plays. */
export const heardIn = ({ timeline: { isPlaying, trackKey } }: PlaybackState): VideoId | null =>
  isPlaying && trackKey !== null ? videoId.parse(trackKey) : null;

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
export interface Decision {
  before: PlaybackState;
  after: PlaybackState;
  /** Null where the room stays as it is: then `after` is `before`. */
  change: PlaybackChange | null;
  itemOf: StoredPlayback['itemOf'];
  isHeard: boolean;
}

/** Decides and saves a change of what a room plays. */
export async function changePlayback(writing: Writing, room: RoomRef, decide: Decide): Promise<Result<Decision>> {
  const decided = await decideChange(writing, room, decide);
  if (decided.ok) await saveChange(writing, room, decided.value);
  return decided;
}

/** Reads and decides without writing. */
export async function decideChange(
  { db, nowMs }: Writing,
  room: RoomRef,
  decide: Decide,
  asked: { withRoundTrip?: boolean } = {},
): Promise<Result<Decision>> {
  const stored = await readPlayback(db, room, asked);
  if (!stored) return refuse('room/ended');
  const { playback: before, itemOf, isHeard } = stored;
  const decided = await decide(before, stored.longestRoundTripMs);
  if (!decided.ok) return decided;
  const change = decided.value;
  if (!change) return accept({ before, after: before, change, itemOf, isHeard });
  const received = applyPlaybackChange(before, change);
  if (received.status !== 'applied') throw new Error('a change of playback must raise the revision by one');
  const after = {
    ...received.playback,
    removed: removedAfter(before, change),
    noted: notedAfter(before.noted, received.playback, nowMs),
    ...(received.playback.by !== undefined && { actedAt: actedAfter(before, change) }),
  };
  return accept({ before, after, change, itemOf, isHeard });
}

/** The revision of the last press after one more change. Pure. */
const actedAfter = ({ actedAt }: PlaybackState, change: PlaybackChange): number | undefined =>
  'by' in change && change.by !== undefined ? change.revision : actedAt;

/** Saves the change and appends it to the room's stream. A new track starts without votes to skip it. */
export async function saveChange(
  writing: Writing,
  room: RoomRef,
  { before, after, change, itemOf }: Decision,
): Promise<void> {
  if (!change) return;
  const { roomId } = room;
  await savePlayback(writing.db, room, after, itemOf);
  await notePlayed(writing.db, roomId, before, after, change);
  await writing.append(roomStream(roomId), change);
  if (beginsTrack(before, after) && (await deleteSkipVotes(writing.db, roomId))) {
    await writing.append(roomStream(roomId), { type: 'rooms/skipVotesCleared' });
  }
}

// Whose a track is that the host removes from the queue and puts back. Pure.

interface BeforeChange {
  readonly queue: Queue<QueuedTrack>;
  /** A guest's track that the host removed last. */
  readonly removed?: QueuedTrack | undefined;
}

/** The guest's track that was removed last, after one more change; undefined once it is back. */
function removedAfter({ queue, removed }: BeforeChange, change: PlaybackChange): QueuedTrack | undefined {
  if (change.type !== 'playback/queueChanged') return removed;
  const { edit } = change;
  if (edit.type === 'removed') {
    const track = queue.videoQueue[edit.index];
    return track?.proposedBy === undefined ? removed : track;
  }
  const isBack = (edit.type === 'added' || edit.type === 'inserted') && edit.track.videoId === removed?.videoId;
  return isBack ? undefined : removed;
}

/** A track that the host adds: the one removed last is still of the guest who proposed it. */
export function addedByHost({ removed }: BeforeChange, named: NamedTrack): QueuedTrack {
  const track = withThumbnail(named);
  const proposedBy = removed?.videoId === track.videoId ? removed.proposedBy : undefined;
  return proposedBy === undefined ? track : { ...track, proposedBy };
}

// What a room has played, stored in the transaction that starts a track. A track counts when it starts playing for
// all in the room; one that another replaces within seconds was skipped, and does not count.

const skippedWithinMs = 10_000;
/** More tracks of one room are not kept. */
export const mostPlayed = 500;
const trimmedEvery = 50;

/** The entry after a change. The same track played again right after itself makes no second one. Pure. */
function notedAfter(
  before: Noted | undefined,
  { timeline: { isPlaying, trackKey } }: Pick<RoomPlayback<QueuedTrack>, 'timeline'>,
  nowMs: number,
): Noted | undefined {
  if (!isPlaying || trackKey === null || trackKey === before?.videoId) return before;
  const last = before?.number ?? 0;
  // Neither does a clock that was set back make a track a skipped one.
  const isSkipped = before !== undefined && Math.abs(nowMs - before.atMs) < skippedWithinMs;
  return { videoId: videoId.parse(trackKey), number: isSkipped ? last : last + 1, atMs: nowMs };
}

interface Noting extends Pick<RoomPlayback<QueuedTrack>, 'queue'> {
  readonly noted?: Noted | undefined;
}

/**
 * Stores the entry of a track that begins, or whose title or length became known: one statement, and none otherwise.
 */
async function notePlayed(
  db: Db,
  roomId: RoomId,
  before: Noting,
  { noted: entry, queue }: Noting,
  change: PlaybackChange,
): Promise<void> {
  const track = currentItem(queue);
  if (entry === undefined || track?.videoId !== entry.videoId) return;
  const isNew = entry !== before.noted;
  if (!isNew && !tellsOfTrack(change)) return;
  const { title, durationSeconds, proposedBy } = track;
  const values = {
    track: JSON.stringify({ videoId: track.videoId, title, durationSeconds }),
    proposed_by: proposedBy ?? null,
    at_ms: entry.atMs,
    ...(isNew && { by_house: isSuggested(change, queue) ? 1 : 0 }),
  };
  await db
    .insertInto('played_tracks')
    .values({ room_id: roomId, number: entry.number, ...values })
    .onConflict((conflict) => conflict.columns(['room_id', 'number']).doUpdateSet(values))
    .execute();
  if (!isNew || entry.number % trimmedEvery !== 0) return;
  await db
    .deleteFrom('played_tracks')
    .where('room_id', '=', roomId)
    .where('number', '<=', entry.number - mostPlayed)
    .execute();
}

/** Only what a room goes on with by itself is added to the end of the queue and plays at once. */
function isSuggested(change: PlaybackChange, { videoQueue }: Noting['queue']): boolean {
  if (change.type !== 'playback/queueChanged' || change.currentIndex !== videoQueue.length - 1) return false;
  return change.edit.type === 'added';
}

const tellsOfTrack = (change: PlaybackChange): boolean =>
  change.type === 'playback/queueChanged' && (change.edit.type === 'measured' || change.edit.type === 'named');
