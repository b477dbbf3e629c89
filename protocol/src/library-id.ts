/**
 * Which ids are the library's and which are links, and how a message names a track of the library. No schema stands here:
 * pages ask this without loading the code that reads schemas.
 */
import type { VideoId } from './wire/fields.ts';
import { limits } from './wire/limits.ts';

/** True for an item of the library, false for YouTube. */
export function isLibraryId(id: string): boolean {
  return id.startsWith('lib_') && id.length === limits.libraryIdLength;
}

/** True for a link to a film on another server. */
export const isMediaLink = (id: string): boolean => id.startsWith('link:');

/** Where the film of such a link is. */
export const addressOfLink = (id: string): string => id.slice('link:'.length);

/** Of a track of the library, behind the origin of the server. */
export const trackPath = (id: VideoId): string => `/library/${id}`;

/** The track that such a path names; null for any other path. */
export function trackOfPath(path: string): VideoId | null {
  const id = /^\/library\/(lib_[0-9a-f]{16})\/?$/.exec(path)?.[1];
  return id === undefined ? null : (id as VideoId);
}
