/**
 * The picture of a track, derived from its id alone, so that a room can't be made to load a picture from elsewhere.
 */
import { isLibraryId, type NamedTrack, type Track, type VideoId } from '@tunemate/protocol';

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
