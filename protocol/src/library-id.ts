/** Which ids are the library's. No schema stands here: pages ask this without loading the code that reads schemas. */
import { limits } from './wire/limits.ts';

/** True for an item of the library, false for YouTube. */
export function isLibraryId(id: string): boolean {
  return id.startsWith('lib_') && id.length === limits.libraryIdLength;
}
