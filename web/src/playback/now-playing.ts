/**
 * The playback documents of both kinds, read into one shape; the only place in the web that knows their fields.
 * Knows no player and no network.
 */
import { positionAt, type Timeline } from '@tunemate/playback';
import type { AudioPlayback, PlaybackDocument, Track, VideoId, VideoPlayback } from '@tunemate/protocol';

/** What a room plays. */
export type NowPlaying = {
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
  readonly queue: readonly Track[];
  /** Place of the current track in `queue`; -1 when it is not there. */
  readonly currentIndex: number;
};

/** Shown before anything was chosen. */
export const NOTHING_SELECTED = 'No music selected';

type Reader<Document> = (document: Document) => Omit<NowPlaying, 'timeline' | 'durationSeconds' | 'controller'>;

const readers: { [Kind in PlaybackDocument['kind']]: Reader<Extract<PlaybackDocument, { kind: Kind }>> } = {
  video: (document: VideoPlayback) => {
    const { currentVideoId, currentVideoTitle, currentIndex, videoQueue } = document;
    const queued = videoQueue[currentIndex];
    const isQueued = queued !== undefined && queued.videoId === currentVideoId;
    const thumbnail = isQueued ? queued.thumbnail : null;
    return {
      track: trackOf(currentVideoId, currentVideoTitle, thumbnail, document.durationSeconds),
      title: currentVideoId === null ? NOTHING_SELECTED : currentVideoTitle,
      queue: videoQueue,
      currentIndex: isQueued ? currentIndex : -1,
    };
  },
  audio: (document: AudioPlayback) => ({
    track: trackOf(document.videoId, document.title, document.thumbnail, document.durationSeconds),
    title: document.videoId === null ? NOTHING_SELECTED : document.title,
    queue: [],
    currentIndex: -1,
  }),
};

/** Reads a playback document of either kind. */
export function nowPlaying(document: PlaybackDocument): NowPlaying {
  // The table's row and the document have the same kind, which the compiler cannot follow through a union.
  const read = readers[document.kind] as Reader<PlaybackDocument>;
  const rest = read(document);
  return {
    ...rest,
    durationSeconds: document.durationSeconds,
    controller: document.controller,
    timeline: {
      revision: document.revision,
      trackKey: rest.track?.videoId ?? null,
      isPlaying: document.isPlaying,
      positionSeconds: document.currentTime,
      atServerMs: document.updatedAt,
    },
  };
}

/** Where the room is at a moment of server time, in seconds. */
export function positionOf(playing: NowPlaying, serverMs: number): number {
  return positionAt(playing.timeline, serverMs, playing.durationSeconds ?? undefined);
}

function trackOf(
  videoId: VideoId | null,
  title: string,
  thumbnail: string | null,
  durationSeconds: number | null,
): Track | null {
  return videoId === null ? null : { videoId, title, thumbnail, durationSeconds };
}
