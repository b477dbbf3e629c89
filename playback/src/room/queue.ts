/**
 * The video queue: what plays next, and how the host rearranges it. Every function returns a new queue.
 * The current item stays the current one through every rearrangement but its own removal.
 * Knows nothing of playing; the caller changes the timeline's track when the current item changed.
 */

/** One entry, with the field names of the room's playback document. */
export interface QueueItem {
  readonly videoId: string;
  readonly title: string;
}

/** The queue as the playback document holds it; `currentIndex` is 0 when the queue is empty. */
export interface Queue<Item extends QueueItem = QueueItem> {
  readonly videoQueue: readonly Item[];
  readonly currentIndex: number;
}

/** The item that plays, or null when the queue is empty. */
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

/** Puts a chosen video at the head and makes it current; if it was queued already, it moves there. */
export function startAtHead<Item extends QueueItem>(queue: Queue<Item>, item: Item): Queue<Item> {
  const others = queue.videoQueue.filter((queued) => queued.videoId !== item.videoId);
  return { videoQueue: [item, ...others], currentIndex: 0 };
}

/** Adds a video at the end. */
export function addAtEnd<Item extends QueueItem>(queue: Queue<Item>, item: Item): Queue<Item> {
  return { ...queue, videoQueue: [...queue.videoQueue, item] };
}

/** Puts an item at `index`, before the one that stands there. */
export function insertAt<Item extends QueueItem>(queue: Queue<Item>, index: number, item: Item): Queue<Item> {
  const { videoQueue, currentIndex } = queue;
  const shifted = videoQueue.length > 0 && index <= currentIndex ? currentIndex + 1 : currentIndex;
  return { videoQueue: videoQueue.toSpliced(index, 0, item), currentIndex: shifted };
}

/** Whether the current item is the last one, or there is none. */
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

/** Moves the item at `from` to stand at `to`; an index outside the queue changes nothing. */
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
