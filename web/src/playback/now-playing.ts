/** What a room plays, as the screen shows it. Knows no player and no network. */
import { currentItem, positionAt, type RoomPlayback, type Timeline } from '@tunemate/playback';
import type { AfterTrack, QueuedTrack, Track } from '@tunemate/protocol';

/** What a room plays. */
export interface NowPlaying {
  /** Which track, when and whether: what the follower works with. */
  readonly timeline: Timeline;
  /** Null before the first choice. */
  readonly track: Track | null;
  /** The track's title, or that nothing was chosen yet. */
  readonly title: string;
  /** Seconds; null while nobody knows. */
  readonly durationSeconds: number | null;
  /** The host's tab that holds control; null until one takes it. */
  readonly controller: string | null;
  readonly queue: readonly QueuedTrack[];
  /** Place of the current track in `queue`. */
  readonly currentIndex: number;
  readonly afterTrack: AfterTrack;
}

/** Shown before anything was chosen. */
export const nothingSelected = 'No music selected';

/** Reads this tab's copy of a room's playback. */
export function nowPlaying({ timeline, queue, controller, afterTrack }: RoomPlayback<QueuedTrack>): NowPlaying {
  const track = currentItem(queue);
  return {
    timeline,
    track,
    title: track?.title ?? nothingSelected,
    durationSeconds: track?.durationSeconds ?? null,
    controller,
    queue: queue.videoQueue,
    currentIndex: queue.currentIndex,
    afterTrack,
  };
}

/** Where the room is at a moment of server time, in seconds. */
export function positionOf(playing: NowPlaying, serverMs: number): number {
  return positionAt(playing.timeline, serverMs, playing.durationSeconds ?? undefined);
}
