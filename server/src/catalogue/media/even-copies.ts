/**
 * Copies of tracks with the gain of one loudness in their sound, for browsers that ignore the volume a page sets (on
 * iPhones and iPads it belongs to the device). Only of tracks in the queue of a user with such a browser.
 */
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import type { Source } from '../sources/source.ts';
import { assertLength, type SentFile } from './exact-copies.ts';
import { latestCopies, type LatestCopiesParts } from './latest-copies.ts';

interface EvenCopiesParts extends LatestCopiesParts {
  fileOf: Source['fileOf'];
}

export type EvenCopies = Awaited<ReturnType<typeof evenCopies>>;

/** A gain is in tenths of a decibel, and turns down. */
export async function evenCopies({ fileOf, ...parts }: EvenCopiesParts) {
  const latest = await latestCopies('even-copies', parts);
  return {
    of: (item: LibraryItem, gain: number): SentFile | null => latest.of(nameOf(item, gain)),
    want(item: LibraryItem, gain: number): void {
      latest.want(nameOf(item, gain), item.title, async ({ to, raw, rewrite, signal }) => {
        await rewrite(await fileOf(item, raw, signal), to, signal, gain);
        await assertLength(item, to);
        return true;
      });
    },
  };
}

const nameOf = ({ id, modifiedMs, at }: LibraryItem, gain: number): string =>
  shortHash([id, String(modifiedMs), String(at?.bytes), String(gain)].join('\n'));
