/** How a message names a track of the library, behind the origin of the server. */
import type { VideoId } from './wire/fields.ts';

export const trackPath = (id: VideoId): string => `/library/${id}`;

/** The track that such a path names; null for any other path. */
export function trackOfPath(path: string): VideoId | null {
  const id = /^\/library\/(lib_[0-9a-f]{16})\/?$/.exec(path)?.[1];
  return id === undefined ? null : (id as VideoId);
}
