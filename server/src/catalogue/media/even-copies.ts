/**
 * Copies of tracks with the gain of one loudness in their sound, for browsers that ignore the volume a page sets (on
 * iPhones and iPads it belongs to the device). Only of tracks in the queue of a user with such a browser.
 */
import type { Log } from '../../system/ports.ts';
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import type { Source } from '../sources/source.ts';
import { assertLength, type Rewrite, type SentFile } from './exact-copies.ts';
import { latestCopies } from './latest-copies.ts';

interface EvenCopiesParts {
  /** Made when first needed. */
  folder: string;
  log: Pick<Log, 'warn'>;
  /** Null when this machine has no ffmpeg. */
  findRewrite: (ending: AbortSignal) => Promise<Rewrite | null>;
  fileOf: Source['fileOf'];
  /** By default 500. */
  most?: number;
}

export type EvenCopies = Awaited<ReturnType<typeof evenCopies>>;

/** A gain is in tenths of a decibel, and turns down. */
export async function evenCopies({ fileOf, ...parts }: EvenCopiesParts) {
  const latest = await latestCopies(parts);
  return {
    of: (item: LibraryItem, gain: number): SentFile | null => latest.of(nameOf(item, gain)),
    want(item: LibraryItem, gain: number): void {
      latest.want(nameOf(item, gain), item.title, async ({ to, raw, rewrite, signal }) => {
        await rewrite(await fileOf(item, raw, signal), to, signal, gain);
        await assertLength(item, to);
        return true;
      });
    },
    close: () => latest.close(),
  };
}

const nameOf = ({ id, modifiedMs, at }: LibraryItem, gain: number): string =>
  shortHash([id, String(modifiedMs), String(at?.bytes), String(gain)].join('\n'));
