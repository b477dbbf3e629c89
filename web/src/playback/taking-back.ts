/** What a host's press on a queue row is undone by. Loaded with the first such press. */
import type { NamedTrack, PlaybackIntent, VideoId } from '@tunemate/protocol';
import { named, type PlaybackView } from './playback-view.ts';

export interface Left {
  readonly track: NamedTrack;
  readonly index: number;
  readonly seconds: number;
  readonly isPaused: boolean;
}

/**
 * Returns to the track that played, at its place. What was pressed instead returns to its row, or leaves the queue where
 * it had none. `wasAt` is its row before the press, -1 for none.
 */
export function backTo(
  { track, index, seconds, isPaused }: Left,
  pressed: { videoId: VideoId; wasAt: number },
  { queue, currentIndex }: PlaybackView['playing'],
): PlaybackIntent[] {
  const place = { videoId: track.videoId, currentTime: seconds, ...(isPaused && { isPaused }) };
  const rows = queue.flatMap(({ videoId }, at) => (videoId === track.videoId ? [at] : []));
  const row = rows.toSorted((a, b) => Math.abs(a - index) - Math.abs(b - index))[0];
  const { videoId } = pressed;
  const isThere = queue[currentIndex]?.videoId === videoId;
  if (row === undefined) {
    return [
      { type: 'enqueue', track: named(track), isNext: true },
      { type: 'jump', currentIndex: currentIndex + 1, ...place },
      ...(isThere ? [{ type: 'remove', index: currentIndex, videoId } as const] : []),
    ];
  }
  const back: PlaybackIntent = { type: 'jump', currentIndex: row, ...place };
  if (!isThere || currentIndex === pressed.wasAt || row === currentIndex) return [back];
  return pressed.wasAt < 0
    ? [back, { type: 'remove', index: currentIndex, videoId }]
    : [back, { type: 'move', from: currentIndex, to: Math.min(pressed.wasAt, queue.length - 1), videoId }];
}

/** Returns to a removed track that played, at its place and its second. */
export function playAgain(
  { track, index, seconds, isPaused }: Left,
  { queue, currentIndex }: PlaybackView['playing'],
): PlaybackIntent[] {
  const { videoId } = track;
  const at = queue.length === 0 ? 0 : currentIndex + 1;
  const row = Math.min(index, queue.length);
  return [
    { type: 'enqueue', track: named(track), isNext: true },
    { type: 'jump', currentIndex: at, videoId, currentTime: seconds, ...(isPaused && { isPaused }) },
    ...(row === at ? [] : [{ type: 'move', from: at, to: row, videoId } as const]),
  ];
}

/** `length` is that of the queue without the track. */
export function putBack(track: NamedTrack, index: number, length: number): PlaybackIntent[] {
  const added: PlaybackIntent = { type: 'enqueue', track: named(track) };
  if (index >= length) return [added];
  return [added, { type: 'move', from: length, to: index, videoId: track.videoId }];
}

/** Removes the last entry of each track, from the end of the queue, so that no removal shifts a later one. */
export function lastOf(
  tracks: readonly NamedTrack[],
  queue: readonly { readonly videoId: string }[],
  currentIndex: number,
): PlaybackIntent[] {
  const wanted = tracks.map(({ videoId }) => videoId);
  const removals: PlaybackIntent[] = [];
  for (let index = queue.length - 1; index >= 0; index -= 1) {
    const place = index === currentIndex ? -1 : wanted.findIndex((videoId) => videoId === queue[index]?.videoId);
    const [videoId] = place < 0 ? [] : wanted.splice(place, 1);
    if (videoId !== undefined) removals.push({ type: 'remove', index, videoId });
  }
  return removals;
}
