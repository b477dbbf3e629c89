/** Tracks and playback documents of both kinds for tests. */
import type { PlaybackDocument, RoomKind, TabId, Track, VideoId } from '@tunemate/protocol';

export const otherTab = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb' as TabId;

export function track(letter: string, durationSeconds: number | null = null): Track {
  return {
    videoId: `lib_${letter.repeat(16)}` as VideoId,
    title: `Track ${letter}`,
    thumbnail: `/media/${letter}/cover`,
    durationSeconds,
  };
}

/** What both kinds have in common, with the track in the place where the kind keeps it. */
export type Facts = Partial<{
  revision: number;
  isPlaying: boolean;
  currentTime: number;
  updatedAt: number;
  durationSeconds: number | null;
  controller: TabId | null;
  tracks: readonly Track[];
}>;

const documents: Record<RoomKind, (facts: Facts) => PlaybackDocument> = {
  video: ({ tracks: [first, ...others] = [], ...facts }) => ({
    kind: 'video',
    ...common(facts),
    currentVideoId: first?.videoId ?? null,
    currentVideoTitle: first?.title ?? 'No music selected',
    currentIndex: 0,
    videoQueue: first ? [{ ...first, durationSeconds: facts.durationSeconds ?? null }, ...others] : [],
  }),
  audio: ({ tracks = [], ...facts }) => ({
    kind: 'audio',
    ...common(facts),
    videoId: tracks[0]?.videoId ?? null,
    audioUrl: '',
    title: tracks[0]?.title ?? 'No music selected',
    thumbnail: tracks[0]?.thumbnail ?? null,
    currentIndex: 0,
    audioQueue: tracks.map((one, place) =>
      place === 0 ? { ...one, durationSeconds: facts.durationSeconds ?? null } : one,
    ),
    afterTrack: 'stop',
  }),
};

export function playbackDocument(kind: RoomKind, facts: Facts = {}): PlaybackDocument {
  return documents[kind](facts);
}

function common(facts: Omit<Facts, 'tracks'>) {
  return {
    revision: 1,
    isPlaying: false,
    currentTime: 0,
    updatedAt: 0,
    durationSeconds: null,
    controller: null,
    ...facts,
  };
}
