/** Converts a room's playback document, of either kind, to the shape in which it is changed and followed. */
import {
  type AfterTrack,
  isLibraryId,
  isMediaLink,
  type NamedTrack,
  type PlaybackChange,
  type PlaybackDocument,
  type QueuedTrack,
  type Track,
  type VideoId,
} from '@tunemate/protocol';
import { roomRules } from '../rooms/room-kinds.ts';

export function playbackOfDocument(document: PlaybackDocument) {
  const isVideo = 'videoQueue' in document;
  const videoQueue: readonly QueuedTrack[] = isVideo ? document.videoQueue : document.audioQueue;
  const queue = { videoQueue, currentIndex: document.currentIndex };
  const afterTrack: AfterTrack = isVideo ? roomRules.video.afterTrack : document.afterTrack;
  const timeline = {
    revision: document.revision,
    trackKey: videoQueue[document.currentIndex]?.videoId ?? null,
    isPlaying: document.isPlaying,
    positionSeconds: document.currentTime,
    atServerMs: document.updatedAt,
  };
  const { controller, by } = document;
  return { timeline, queue, afterTrack, controller, ...(by !== undefined && { by }) };
}

export function isPlaybackChange(change: { readonly type: string }): change is PlaybackChange {
  return change.type.startsWith('playback/');
}

// Thumbnails are derived from the track id alone: a stored URL could make members load a picture from any host.

export const imageHost = 'https://i.ytimg.com';

/** The cover of a library item on this server, or the 120 x 90 picture that YouTube has of every video; a link has none. */
export function thumbnailOf(id: VideoId): string | null {
  if (isMediaLink(id)) return null;
  return isLibraryId(id) ? `/media/${id}/cover` : `${imageHost}/vi/${id}/default.jpg`;
}

export function withThumbnail({ videoId, title, durationSeconds, startSeconds }: NamedTrack): Track {
  const start = startSeconds === undefined ? {} : { startSeconds };
  return { videoId, title, durationSeconds, thumbnail: thumbnailOf(videoId), ...start };
}
