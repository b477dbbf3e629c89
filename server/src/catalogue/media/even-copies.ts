/**
 * Copies of tracks with the gain of one loudness in their sound, for browsers that ignore the volume a page sets (on
 * iPhones and iPads it belongs to the device). Only of tracks in the queue of a user with such a browser.
 */
import type { Log } from '../../system/ports.ts';
import { type LibraryItem, shortHash } from '../library/library-item.ts';
import { assertLength, NotYet, type Rewrite, type SentFile } from './exact-copies.ts';
import { latestCopies } from './latest-copies.ts';
import { isAway, leadsNowhereElse } from './still-there.ts';

interface EvenCopiesParts {
  /** Made when first needed. */
  folder: string;
  log: Pick<Log, 'warn'>;
  /** Null when this machine has no ffmpeg. */
  findRewrite: (ending: AbortSignal) => Promise<Rewrite | null>;
  /** Writes the bytes of a track of the music server. */
  fetch: (item: LibraryItem, to: string, signal: AbortSignal) => Promise<void>;
  /** By default 500. */
  most?: number;
}

export type EvenCopies = Awaited<ReturnType<typeof evenCopies>>;

/** A gain is in tenths of a decibel, and turns down. */
export async function evenCopies({ fetch, ...parts }: EvenCopiesParts) {
  const latest = await latestCopies(parts);
  return {
    of: (item: LibraryItem, gain: number): SentFile | null => latest.of(nameOf(item, gain)),
    want(item: LibraryItem, gain: number): void {
      latest.want(nameOf(item, gain), item.title, async ({ to, raw, rewrite, signal }) => {
        if (item.remote !== undefined) await fetch(item, raw, signal);
        else if (await isAway(item.path)) throw new NotYet();
        else if (!(await leadsNowhereElse(item.path))) throw new Error('it is a link by now');
        await rewrite(item.remote === undefined ? item.path : raw, to, signal, gain);
        await assertLength(item, to);
        return true;
      });
    },
    close: () => latest.close(),
  };
}

const nameOf = ({ id, modifiedMs, remote }: LibraryItem, gain: number): string =>
  shortHash([id, String(modifiedMs), String(remote?.bytes), String(gain)].join('\n'));
