/**
 * A room's playback, and how one change alters it. The server makes its changes with `applyPlaybackChange`, and every
 * receiver applies them with it, so that copies of one room cannot diverge. Field names are those of the wire.
 */
import type { Timeline } from './timeline.ts';

/** A queue entry whose length may still be unknown. */
export type PlayableItem = QueueItem & { readonly durationSeconds: number | null };

/** The effect of the end of a track: paused at 0, the next of the queue, or the queue and then suggestions. */
export type AfterTrack = 'stop' | 'queue' | 'suggested';

/** A room's playback, the same for video and audio. */
export interface RoomPlayback<Item extends PlayableItem = PlayableItem> {
  readonly timeline: Timeline;
  readonly queue: Queue<Item>;
  /** The host's tab that holds control; null until one takes it. */
  readonly controller: string | null;
  readonly afterTrack: AfterTrack;
  /** Who acted last; absent while the host alone may act. */
  readonly by?: string | undefined;
}

export type QueueEdit<Item extends PlayableItem = PlayableItem> =
  /** At the end. */
  | { readonly type: 'added'; readonly track: Item }
  /** At the end, in this order. */
  | { readonly type: 'addedAll'; readonly tracks: readonly Item[] }
  /** Before the item at `index`. */
  | { readonly type: 'inserted'; readonly index: number; readonly track: Item }
  /** At the head; an earlier entry of the same track is removed. */
  | { readonly type: 'chosen'; readonly track: Item }
  /** Replaces the whole queue. */
  | { readonly type: 'replaced'; readonly track: Item }
  | { readonly type: 'removed'; readonly index: number }
  | { readonly type: 'moved'; readonly from: number; readonly to: number }
  /** The length of the item at `index`; null when it has none. */
  | { readonly type: 'measured'; readonly index: number; readonly durationSeconds: number | null }
  /** The title of the item at `index`. */
  | { readonly type: 'named'; readonly index: number; readonly title: string };

/** The timeline after a change, and the index of the current item. */
export interface Playhead {
  readonly revision: number;
  readonly isPlaying: boolean;
  readonly currentTime: number;
  readonly updatedAt: number;
  readonly currentIndex: number;
}

/** The person whose press the change is; absent where a player reported something, or the host alone may act. */
interface Acted {
  readonly by?: string | undefined;
}

/** Revisions rise by one with each change. */
export type PlaybackChange<Item extends PlayableItem = PlayableItem> =
  | ({ readonly type: 'playback/moved' } & Playhead & Acted)
  | ({ readonly type: 'playback/queueChanged' } & Playhead & Acted & { readonly edit: QueueEdit<Item> })
  | { readonly type: 'playback/controlChanged'; readonly revision: number; readonly controller: string }
  | { readonly type: 'playback/afterTrackChanged'; readonly revision: number; readonly afterTrack: AfterTrack };

/**
 * 'passed' when the copy has the change already; 'gap' when an earlier one is missing, so that a snapshot is needed.
 */
export type Received<Item extends PlayableItem> =
  | { readonly status: 'applied'; readonly playback: RoomPlayback<Item> }
  | { readonly status: 'passed' }
  | { readonly status: 'gap' };

export function applyPlaybackChange<Item extends PlayableItem>(
  playback: RoomPlayback<Item>,
  change: PlaybackChange<Item>,
): Received<Item> {
  const { revision } = playback.timeline;
  if (change.revision <= revision) return { status: 'passed' };
  if (change.revision > revision + 1) return { status: 'gap' };
  return { status: 'applied', playback: changed(playback, change) };
}

function changed<Item extends PlayableItem>(
  playback: RoomPlayback<Item>,
  change: PlaybackChange<Item>,
): RoomPlayback<Item> {
  if (change.type === 'playback/controlChanged') {
    const { controller, revision } = change;
    return { ...playback, controller, timeline: { ...playback.timeline, revision } };
  }
  if (change.type === 'playback/afterTrackChanged') {
    const { afterTrack, revision } = change;
    return { ...playback, afterTrack, timeline: { ...playback.timeline, revision } };
  }
  const edited = change.type === 'playback/queueChanged' ? editQueue(playback.queue, change.edit) : playback.queue;
  const queue = { videoQueue: edited.videoQueue, currentIndex: change.currentIndex };
  const timeline: Timeline = {
    revision: change.revision,
    trackKey: currentItem(queue)?.videoId ?? null,
    isPlaying: change.isPlaying,
    positionSeconds: change.currentTime,
    atServerMs: change.updatedAt,
  };
  return { ...playback, queue, timeline, ...(change.by !== undefined && { by: change.by }) };
}

/** The queue after an edit. The current item stays current unless it was removed or another was chosen. */
export function editQueue<Item extends PlayableItem>(queue: Queue<Item>, edit: QueueEdit<Item>): Queue<Item> {
  switch (edit.type) {
    case 'added':
      return addAtEnd(queue, edit.track);
    case 'addedAll':
      return edit.tracks.reduce(addAtEnd<Item>, queue);
    case 'inserted':
      return insertAt(queue, edit.index, edit.track);
    case 'chosen':
      return startAtHead(queue, edit.track);
    case 'replaced':
      return { videoQueue: [edit.track], currentIndex: 0 };
    case 'removed':
      return removeAt(queue, edit.index);
    case 'moved':
      return move(queue, edit.from, edit.to);
    case 'measured':
      return withItem(queue, edit.index, { durationSeconds: edit.durationSeconds });
    case 'named':
      return withItem(queue, edit.index, { title: edit.title });
  }
}

function withItem<Item extends PlayableItem>(
  queue: Queue<Item>,
  at: number,
  known: Partial<PlayableItem>,
): Queue<Item> {
  return { ...queue, videoQueue: queue.videoQueue.map((item, index) => (index === at ? { ...item, ...known } : item)) };
}

/** A timeline in the wire format of a change. */
export function playheadOf(timeline: Timeline, currentIndex: number): Playhead {
  const { revision, isPlaying, positionSeconds, atServerMs } = timeline;
  return { revision, isPlaying, currentTime: positionSeconds, updatedAt: atServerMs, currentIndex };
}

// The queue. Every function returns a new one; the current item stays current until it is removed.

export interface QueueItem {
  readonly videoId: string;
  readonly title: string;
}

/** `currentIndex` is 0 when the queue is empty. */
export interface Queue<Item extends QueueItem = QueueItem> {
  readonly videoQueue: readonly Item[];
  readonly currentIndex: number;
}

/** The current item, or null when the queue is empty. */
export function currentItem<Item extends QueueItem>(queue: Queue<Item>): Item | null {
  return queue.videoQueue[queue.currentIndex] ?? null;
}

/** Moves on to the next item; after the last comes the first. */
export function next<Item extends QueueItem>(queue: Queue<Item>): Queue<Item> {
  return step(queue, 1);
}

/** Moves back to the previous item; before the first comes the last. */
export function previous<Item extends QueueItem>(queue: Queue<Item>): Queue<Item> {
  return step(queue, -1);
}

/** Puts a chosen video at the head and makes it current; an earlier entry of it is removed. */
export function startAtHead<Item extends QueueItem>(queue: Queue<Item>, item: Item): Queue<Item> {
  const others = queue.videoQueue.filter((queued) => queued.videoId !== item.videoId);
  return { videoQueue: [item, ...others], currentIndex: 0 };
}

export function addAtEnd<Item extends QueueItem>(queue: Queue<Item>, item: Item): Queue<Item> {
  return { ...queue, videoQueue: [...queue.videoQueue, item] };
}

export function insertAt<Item extends QueueItem>(queue: Queue<Item>, index: number, item: Item): Queue<Item> {
  const { videoQueue, currentIndex } = queue;
  const shifted = videoQueue.length > 0 && index <= currentIndex ? currentIndex + 1 : currentIndex;
  return { videoQueue: videoQueue.toSpliced(index, 0, item), currentIndex: shifted };
}

/** Also true when the queue is empty. */
export function isAtLast({ videoQueue, currentIndex }: Queue): boolean {
  return currentIndex >= videoQueue.length - 1;
}

/** Makes the item at `index` current; an index outside the queue changes nothing. */
export function jumpTo<Item extends QueueItem>(queue: Queue<Item>, index: number): Queue<Item> {
  return isInside(queue, index) ? { ...queue, currentIndex: index } : queue;
}

/**
 * Removes the item at `index`; an index outside the queue changes nothing.
 * Removing the current item makes its successor current, wrapping round.
 */
export function removeAt<Item extends QueueItem>(queue: Queue<Item>, index: number): Queue<Item> {
  if (!isInside(queue, index)) return queue;
  const videoQueue = queue.videoQueue.filter((_, position) => position !== index);
  const shifted = index < queue.currentIndex ? queue.currentIndex - 1 : queue.currentIndex;
  return { videoQueue, currentIndex: shifted < videoQueue.length ? shifted : 0 };
}

/** Moves the item from index `from` to index `to`; an index outside the queue changes nothing. */
export function move<Item extends QueueItem>(queue: Queue<Item>, from: number, to: number): Queue<Item> {
  const item = queue.videoQueue[from];
  if (item === undefined || !isInside(queue, to)) return queue;
  const moved = <Entry>(entries: readonly Entry[], entry: Entry) => entries.toSpliced(from, 1).toSpliced(to, 0, entry);
  const order = moved([...queue.videoQueue.keys()], from);
  return { videoQueue: moved(queue.videoQueue, item), currentIndex: order.indexOf(queue.currentIndex) };
}

function step<Item extends QueueItem>(queue: Queue<Item>, by: number): Queue<Item> {
  const count = queue.videoQueue.length;
  return count === 0 ? queue : { ...queue, currentIndex: (queue.currentIndex + by + count) % count };
}

function isInside(queue: Queue, index: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < queue.videoQueue.length;
}
