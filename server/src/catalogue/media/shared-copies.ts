/**
 * Exact copies in the operator's object store: one that another machine has made is fetched and not made again. The folder
 * of this machine is what plays, so a store that fails costs only the making.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { ObjectStore } from '../../system/store/object-store.ts';
import type { Log } from '../../system/ports.ts';
import type { LibraryItem } from '../library/library-item.ts';
import { assertLength, copiedAs, type SharedCopies } from './exact-copies.ts';
import { NotYet } from './still-there.ts';

const folder = 'exact-copies';
/** A store that failed is not asked for this long: thousands of tracks may wait, and each would wait for it. */
const restMs = 60_000;
/** A day of sound. */
const mostBytes = 2.1e9;
const tidyEveryMs = 24 * 60 * 60 * 1000;
/** Machines see a changed library at different times. */
const unneededKeptMs = 7 * 24 * 60 * 60 * 1000;

/** `now` is in milliseconds. */
export function sharedCopies(
  store: ObjectStore,
  { log, now }: { log: Pick<Log, 'warn'>; now: () => number },
): SharedCopies {
  let restsUntilMs = -Infinity;
  let tidyFromMs = -Infinity;

  /** Null when the store fails, or has failed a moment ago. */
  async function attempt<T>(event: string, work: () => Promise<T>): Promise<T | null> {
    if (now() < restsUntilMs) return null;
    try {
      return await work();
    } catch (error) {
      restsUntilMs = now() + restMs;
      log.warn({ err: error }, event);
      return null;
    }
  }

  /** False when there is none, or one of another length. */
  async function fetchCopy(item: LibraryItem, to: string, signal: AbortSignal): Promise<boolean> {
    const key = await keyOf(item);
    const isThere = await attempt('catalogue.copy-not-fetched', () => store.getFile(key, to, { mostBytes, signal }));
    if (isThere !== true) return false;
    return await assertLength(item, to).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error, key }, 'catalogue.shared-copy-wrong');
        return false;
      },
    );
  }

  return {
    around(make) {
      return async (item, to, signal) => {
        if (await fetchCopy(item, to, signal)) return;
        if (make === null) throw new NotYet();
        await make(item, to, signal);
        const key = await keyOf(item);
        await attempt('catalogue.copy-not-shared', () => store.putFile(key, to, signal));
      };
    },
    async tidy(items, signal) {
      if (items.length === 0 || now() < tidyFromMs) return;
      tidyFromMs = now() + tidyEveryMs;
      const needed = new Set<string>();
      for (const item of items) needed.add(await keyOf(item).catch(() => ''));
      await attempt('catalogue.shared-copies-not-tidied', async () => {
        for await (const page of store.list(folder, signal)) {
          for (const { name, modifiedMs } of page) {
            const isNeeded = needed.has(`${folder}/${name}`) || modifiedMs > now() - unneededKeptMs;
            if (!isNeeded) await store.remove(`${folder}/${name}`);
          }
        }
      });
    },
  };
}

/**
 * All that decides what a copy sounds like. On each machine the folder of the library may have another path, and its disk
 * other fractions of a second.
 */
async function keyOf({ id, modifiedMs, path }: LibraryItem): Promise<string> {
  const { size } = await stat(path);
  const made = [id, String(Math.floor(modifiedMs / 1000)), String(size), copiedAs].join('\n');
  return `${folder}/${createHash('sha256').update(made).digest('hex').slice(0, 32)}.m4a`;
}
