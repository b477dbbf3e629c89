/** Tracks and playback documents of both kinds for tests. */
import type { AfterTrack, PlaybackDocument, RoomKind, TabId, Track, VideoId } from '@tunemate/protocol';

export const otherTab = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb' as TabId;

export function track(letter: string, durationSeconds: number | null = null): Track {
  return {
    videoId: `lib_${letter.repeat(16)}` as VideoId,
    title: `Track ${letter}`,
    thumbnail: `/media/${letter}/cover`,
    durationSeconds,
  };
}

/** What both kinds have in common, with the tracks in the place where the kind keeps them. */
export type Facts = Partial<{
  revision: number;
  isPlaying: boolean;
  currentTime: number;
  updatedAt: number;
  /** Of the current track. */
  durationSeconds: number | null;
  controller: TabId | null;
  tracks: readonly Track[];
  index: number;
  afterTrack: AfterTrack;
}>;

export function playbackDocument(
  kind: RoomKind,
  { tracks = [], index = 0, afterTrack = 'stop', durationSeconds = null, ...facts }: Facts = {},
): PlaybackDocument {
  const queue = tracks.map((one, place) => (place === index ? { ...one, durationSeconds } : one));
  const { videoId = null, title = 'No music selected', thumbnail = null } = queue[index] ?? {};
  const common = {
    ...{ revision: 1, isPlaying: false, currentTime: 0, updatedAt: 0, durationSeconds, controller: null },
    ...{ currentIndex: index, ...facts },
  };
  return {
    video: { kind: 'video', ...common, currentVideoId: videoId, currentVideoTitle: title, videoQueue: queue } as const,
    audio: {
      kind: 'audio',
      ...common,
      videoId,
      audioUrl: '',
      title,
      thumbnail,
      audioQueue: queue,
      afterTrack,
    } as const,
  }[kind];
}
