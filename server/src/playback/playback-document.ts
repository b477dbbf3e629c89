/**
 * Converts what a room plays into the document of its kind. Pure; the only place of the server that knows both kinds'
 * documents.
 */
import { roomRules } from '@tunemate/domain';
import { currentItem, type RoomPlayback } from '@tunemate/playback';
import {
  type AudioPlayback,
  isLibraryId,
  type PlaybackDocument,
  type QueuedTrack,
  type RoomKind,
  type VideoPlayback,
} from '@tunemate/protocol';

/** What a room plays, free of its kind. */
export type PlaybackState = RoomPlayback<QueuedTrack>;

/** A room in which nothing was chosen yet: not playing, at time 0. */
export function emptyPlayback(kind: RoomKind, nowMs: number): PlaybackState {
  return {
    timeline: { revision: 0, trackKey: null, isPlaying: false, positionSeconds: 0, atServerMs: nowMs },
    queue: { videoQueue: [], currentIndex: 0 },
    controller: null,
    afterTrack: roomRules[kind].afterTrack,
  };
}

/** The document of this state, with the field names of the protocol. */
export function toDocument(kind: RoomKind, state: PlaybackState): PlaybackDocument {
  return writers[kind](state);
}

function commonFields({ timeline, queue, controller }: PlaybackState) {
  return {
    revision: timeline.revision,
    isPlaying: timeline.isPlaying,
    currentTime: timeline.positionSeconds,
    updatedAt: timeline.atServerMs,
    durationSeconds: currentItem(queue)?.durationSeconds ?? null,
    controller,
  };
}

const writers: Record<RoomKind, (state: PlaybackState) => PlaybackDocument> = {
  video: (state): VideoPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'video',
      ...commonFields(state),
      currentVideoId: track?.videoId ?? null,
      currentVideoTitle: track?.title ?? roomRules.video.initialTitle,
      currentIndex: state.queue.currentIndex,
      videoQueue: [...state.queue.videoQueue],
    };
  },
  audio: (state): AudioPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'audio',
      ...commonFields(state),
      videoId: track?.videoId ?? null,
      audioUrl: track && isLibraryId(track.videoId) ? `/media/${track.videoId}` : '',
      title: track?.title ?? roomRules.audio.initialTitle,
      thumbnail: track?.thumbnail ?? null,
      currentIndex: state.queue.currentIndex,
      audioQueue: [...state.queue.videoQueue],
      afterTrack: state.afterTrack,
    };
  },
};
