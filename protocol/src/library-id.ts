/** Which ids are the library's and which are links. No schema stands here: pages ask this without loading the code that reads schemas. */
import { limits } from './wire/limits.ts';

/** True for an item of the library, false for YouTube. */
export function isLibraryId(id: string): boolean {
  return id.startsWith('lib_') && id.length === limits.libraryIdLength;
}

/** True for a link to a film on another server. */
export const isMediaLink = (id: string): boolean => id.startsWith('link:');

/** Where the film of such a link is. */
export const addressOfLink = (id: string): string => id.slice('link:'.length);
