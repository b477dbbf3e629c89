/**
 * Reads a room's playback document, of either kind, into the one shape in which it is changed and followed.
 */
import {
  type AfterTrack,
  type AudioPlayback,
  isLibraryId,
  type NamedTrack,
  type PlaybackChange,
  type PlaybackDocument,
  type QueuedTrack,
  type Track,
  type VideoId,
  type VideoPlayback,
} from '@tunemate/protocol';
import { roomRules } from '../rooms/room-kinds.ts';

/** What the document says, free of its kind. */
export function playbackOfDocument(document: PlaybackDocument) {
  const { queue, afterTrack } = 'videoQueue' in document ? ofVideo(document) : ofAudio(document);
  const timeline = {
    revision: document.revision,
    trackKey: queue.videoQueue[queue.currentIndex]?.videoId ?? null,
    isPlaying: document.isPlaying,
    positionSeconds: document.currentTime,
    atServerMs: document.updatedAt,
  };
  return { timeline, queue, afterTrack, controller: document.controller };
}

interface Queue {
  videoQueue: readonly QueuedTrack[];
  currentIndex: number;
}

interface OfKind {
  queue: Queue;
  afterTrack: AfterTrack;
}

function ofVideo({ videoQueue, currentIndex }: VideoPlayback): OfKind {
  return { queue: { videoQueue, currentIndex }, afterTrack: roomRules.video.afterTrack };
}

function ofAudio({ audioQueue, currentIndex, afterTrack }: AudioPlayback): OfKind {
  return { queue: { videoQueue: audioQueue, currentIndex }, afterTrack };
}

/** Whether a change of a room concerns what it plays. */
export function isPlaybackChange(change: { readonly type: string }): change is PlaybackChange {
  return change.type.startsWith('playback/');
}

// The picture of a track, derived from its id alone, so that a room can't be made to load a picture from elsewhere.

/** Where the pictures of videos come from. */
export const imageHost = 'https://i.ytimg.com';

/**
 * The cover that this server has of a library item, or the 120 x 90 picture that the video service has of every video.
 */
export function thumbnailOf(id: VideoId): string {
  return isLibraryId(id) ? `/media/${id}/cover` : `${imageHost}/vi/${id}/default.jpg`;
}

/** A track as members receive it. */
export function withThumbnail({ videoId, title, durationSeconds, startSeconds }: NamedTrack): Track {
  const start = startSeconds === undefined ? {} : { startSeconds };
  return { videoId, title, durationSeconds, thumbnail: thumbnailOf(videoId), ...start };
}
