/**
 * Copies tracks that are no files of this machine and that browsers do not seek exactly, as those of the folder are copied;
 * but only tracks that a page has begun to play. Such a track is measured too, where its source does not say how loud it is.
 */
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import { copyTrack, type SentFile } from './exact-copies.ts';
import { latestCopies, type LatestCopiesParts } from './latest-copies.ts';
import type { trackLoudness } from './loudness.ts';

/** A longer file is played as it is. */
export const mostCopiedBytes = 1024 * 1024 * 1024;

interface PlayedCopiesParts extends LatestCopiesParts {
  loudness: Pick<ReturnType<typeof trackLoudness>, 'needsMeasure' | 'measure'>;
}

/** As in `Source`. */
type FileOf = (item: LibraryItem, to: string, signal: AbortSignal) => Promise<string>;

export type PlayedCopies = Awaited<ReturnType<typeof playedCopies>>;

/** Of all sources: the ids of their tracks differ. */
export async function playedCopies({ loudness, ...parts }: PlayedCopiesParts) {
  const latest = await latestCopies('played-copies', parts);
  const copyOf = (item: LibraryItem): SentFile | null => (needsCopy(item) ? latest.of(nameOf(item)) : null);
  return {
    of: copyOf,
    forget: latest.forget,
    /** A page has begun to play the track. `fileOf` is that of its source. */
    want(item: LibraryItem, fileOf: FileOf): void {
      const lacksCopy = needsCopy(item) && copyOf(item) === null;
      if (!lacksCopy && !(loudness.needsMeasure(item) && isShort(item))) return;
      // Of another name where the copy exists, which would end this.
      latest.want(lacksCopy ? nameOf(item) : `measured-${nameOf(item)}`, item.title, async (place) => {
        const { to, raw, rewrite, signal } = place;
        const path = await fileOf(item, raw, signal);
        if (loudness.needsMeasure(item)) await loudness.measure(item, path, signal);
        if (!lacksCopy) return false;
        await copyTrack({ path, durationSeconds: item.durationSeconds }, to, { rewrite, signal });
        return true;
      });
    },
  };
}

const isShort = ({ at }: LibraryItem): boolean => (at?.bytes ?? 0) <= mostCopiedBytes;
const needsCopy = (item: LibraryItem): boolean => !item.seeksExactly && isShort(item);

const nameOf = ({ id, modifiedMs, at }: LibraryItem): string =>
  shortHash(`${id}\n${String(modifiedMs)}\n${String(at?.bytes)}`);
