/** Fetches a whole track of the music server, to make something of it. */
import { open } from 'node:fs/promises';
import type { LibraryItem } from '../../library/library-item.ts';
import { mostCopiedBytes } from '../../media/played-copies.ts';
import { NotYet } from '../../media/still-there.ts';
import { type SubsonicClient, SubsonicFailure } from './subsonic-client.ts';

/** One track is fetched at a time: one that comes in drops must not keep the others waiting. */
const longestMs = 10 * 60_000;

/** Writes the bytes of a track. Rejects with `NotYet` while the server is away. */
export async function download(
  client: Pick<SubsonicClient, 'file'>,
  { at }: LibraryItem,
  to: string,
  signal: AbortSignal,
  withinMs = longestMs,
): Promise<void> {
  const startedMs = performance.now();
  const file = await open(to, 'wx');
  try {
    const { bytes, end } = await client.file('stream', { id: at?.id ?? '', format: 'raw' });
    try {
      let size = 0;
      for await (const part of bytes) {
        size += part.length;
        if (size > mostCopiedBytes) throw new SubsonicFailure('answer');
        if (performance.now() - startedMs > withinMs) throw new SubsonicFailure('away');
        signal.throwIfAborted();
        await file.write(part);
      }
    } finally {
      end();
    }
  } catch (error) {
    throw error instanceof SubsonicFailure && error.fault === 'away' ? new NotYet() : error;
  } finally {
    await file.close();
  }
}
