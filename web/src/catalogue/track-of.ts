/** A found item as a track that can be played. The protocol takes exactly these fields. */
import type { CatalogueItem, Track } from '@tunemate/protocol';

export function trackOf({ videoId, title, thumbnail, durationSeconds }: CatalogueItem): Track {
  return { videoId, title, thumbnail, durationSeconds };
}
