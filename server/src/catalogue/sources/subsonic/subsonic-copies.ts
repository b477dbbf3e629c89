/**
 * Copies tracks of the music server that browsers do not seek exactly, as those of the folder are copied; but only
 * tracks that a page has begun to play. Such a track is measured too, where the server does not say how loud it is.
 */
import { open } from 'node:fs/promises';
import { type LibraryItem, shortHash } from '../../library/library-item.ts';
import { copyTrack, type SentFile } from '../../media/exact-copies.ts';
import { latestCopies, type LatestCopiesParts } from '../../media/latest-copies.ts';
import { NotYet } from '../../media/still-there.ts';
import type { SourceParts } from '../source.ts';
import { type SubsonicClient, SubsonicFailure } from './subsonic-client.ts';

/** A longer file is played as it is. */
const mostBytes = 1024 * 1024 * 1024;
/** One track is fetched at a time: one that comes in drops must not keep the others waiting. */
const longestMs = 10 * 60_000;

interface SubsonicCopiesParts extends LatestCopiesParts {
  client: Pick<SubsonicClient, 'file'>;
  loudness: SourceParts['loudness'];
}

export type SubsonicCopies = Awaited<ReturnType<typeof subsonicCopies>>;

export async function subsonicCopies({ client, loudness, ...parts }: SubsonicCopiesParts) {
  const latest = await latestCopies('subsonic-copies', parts);
  const copyOf = (item: LibraryItem): SentFile | null => (needsCopy(item) ? latest.of(nameOf(item)) : null);
  return {
    of: copyOf,
    forget: latest.forget,
    want(item: LibraryItem): void {
      const lacksCopy = needsCopy(item) && copyOf(item) === null;
      if (!lacksCopy && !(loudness.needsMeasure(item) && isShort(item))) return;
      // Of another name where the copy exists, which would end this.
      latest.want(lacksCopy ? nameOf(item) : `measured-${nameOf(item)}`, item.title, async (place) => {
        const { to, raw, rewrite, signal } = place;
        await download(client, item, raw, signal);
        if (loudness.needsMeasure(item)) await loudness.measure(item, raw, signal);
        if (!lacksCopy) return false;
        await copyTrack({ path: raw, durationSeconds: item.durationSeconds }, to, { rewrite, signal });
        return true;
      });
    },
  };
}

/** Writes the bytes of a track. Rejects with `NotYet` while the server is away. */
export async function download(
  client: SubsonicCopiesParts['client'],
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
        if (size > mostBytes) throw new SubsonicFailure('answer');
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

const isShort = ({ at }: LibraryItem): boolean => (at?.bytes ?? 0) <= mostBytes;
const needsCopy = (item: LibraryItem): boolean => !item.seeksExactly && isShort(item);

const nameOf = ({ id, modifiedMs, at }: LibraryItem): string =>
  shortHash(`${id}\n${String(modifiedMs)}\n${String(at?.bytes)}`);
