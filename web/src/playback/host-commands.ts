/**
 * What the host can do with the music from the controlling tab. Shows the intent at once and sends it; what becomes of
 * it, the room's next change tells.
 */
import type { AfterTrack, NamedTrack, PlaybackIntent } from '@tunemate/protocol';
import type { Cell } from '../store/cell.ts';
import type { PlaybackView } from './playback-view.ts';
import type { Writer } from './writer.ts';

export interface HostCommands {
  setPlaying(isPlaying: boolean): void;
  /** Commits a position; of several within 300 ms the last one wins. */
  seek(positionSeconds: number): void;
  next(): void;
  previous(): void;
  /** Plays it now; in rooms with a queue it goes to the head. */
  choose(track: NamedTrack): void;
  enqueue(track: NamedTrack): void;
  /** In their order; answers how many there was room for. */
  enqueueAll(tracks: readonly NamedTrack[]): Promise<number>;
  /** Takes them out again: of each the last one in the queue that is not playing. Answers how many there were. */
  dequeueAll(tracks: readonly NamedTrack[]): Promise<number>;
  jump(index: number): void;
  remove(index: number): void;
  move(from: number, to: number): void;
  setAfterTrack(afterTrack: AfterTrack): void;
}

/** The protocol takes exactly these fields; found items and tracks of the queue have more. */
function named({ videoId, title, durationSeconds, startSeconds }: NamedTrack): NamedTrack {
  return { videoId, title, durationSeconds, ...(startSeconds !== undefined && { startSeconds }) };
}

export function createHostCommands(view: Cell<PlaybackView>, writer: Writer): HostCommands {
  const write = (intent: PlaybackIntent): void => writer.write(intent);
  const queued = (index: number) => view.get().playing.queue[index];
  return {
    setPlaying(isPlaying) {
      view.update((now) => ({ ...now, optimisticPlaying: isPlaying }));
      write({ type: isPlaying ? 'play' : 'pause' });
    },
    seek(positionSeconds) {
      const { track } = view.get().playing;
      if (track === null) return;
      view.update((now) => ({ ...now, optimisticPositionSeconds: positionSeconds }));
      writer.writeSeek({ videoId: track.videoId, currentTime: positionSeconds });
    },
    next: () => write({ type: 'next' }),
    previous: () => write({ type: 'previous' }),
    choose: (track) => write({ type: 'choose', track: named(track) }),
    enqueue: (track) => write({ type: 'enqueue', track: named(track) }),
    enqueueAll: (tracks) => writer.writeAll(tracks.map((track) => ({ type: 'enqueue', track: named(track) }))),
    async dequeueAll(tracks) {
      const { queue, currentIndex } = view.get().playing;
      return await writer.writeAll(lastOf(tracks, queue, currentIndex));
    },
    jump: (index) => write({ type: 'jump', currentIndex: index }),
    remove(index) {
      const item = queued(index);
      if (item !== undefined) write({ type: 'remove', index, videoId: item.videoId });
    },
    setAfterTrack: (afterTrack) => write({ type: 'setAfterTrack', afterTrack }),
    move(from, to) {
      const item = queued(from);
      if (item !== undefined) write({ type: 'move', from, to, videoId: item.videoId });
    },
  };
}

/** Removes each track where it last stands; from the end on, so that what is removed moves none that still is to be. */
function lastOf(
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
