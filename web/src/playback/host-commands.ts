/**
 * What the host can do with the music from the controlling tab. Shows the wish at once and sends it; what becomes of
 * it, the room's next change tells.
 */
import type { NamedTrack, PlaybackIntent } from '@tunemate/protocol';
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
  jump(index: number): void;
  remove(index: number): void;
  move(from: number, to: number): void;
}

/** The protocol takes exactly these fields; found items and tracks of the queue have more. */
function named({ videoId, title, durationSeconds }: NamedTrack): NamedTrack {
  return { videoId, title, durationSeconds };
}

export function createHostCommands(view: Cell<PlaybackView>, writer: Writer): HostCommands {
  const write = (intent: PlaybackIntent): void => writer.write(intent);
  const queued = (index: number) => view.get().playing.queue[index];
  return {
    setPlaying(isPlaying) {
      view.update((now) => ({ ...now, wishedPlaying: isPlaying }));
      write({ type: isPlaying ? 'play' : 'pause' });
    },
    seek(positionSeconds) {
      view.update((now) => ({ ...now, wishedPositionSeconds: positionSeconds }));
      writer.writeSeek(positionSeconds);
    },
    next: () => write({ type: 'next' }),
    previous: () => write({ type: 'previous' }),
    choose: (track) => write({ type: 'choose', track: named(track) }),
    enqueue: (track) => write({ type: 'enqueue', track: named(track) }),
    jump: (index) => write({ type: 'jump', currentIndex: index }),
    remove(index) {
      const item = queued(index);
      if (item !== undefined) write({ type: 'remove', index, videoId: item.videoId });
    },
    move(from, to) {
      const item = queued(from);
      if (item !== undefined) write({ type: 'move', from, to, videoId: item.videoId });
    },
  };
}
