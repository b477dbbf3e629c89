/**
 * A folder of files that the server makes of media, each under a name that says what it was made of. Several servers may share
 * it, and it may be deleted at any time.
 */
import { randomUUID } from 'node:crypto';
import { readdir, realpath, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { chunked } from '../../storage/queries.ts';
import { asError } from '../../system/printable.ts';
import { makeFolder, nameWhole } from '../../system/whole-files.ts';
import { type KindOfFile, kinds, type MediaWork } from './media-work.ts';
import { NotYet } from './still-there.ts';

/** They never take the last tenth of a disk: the database may be on it. */
const leastFreeShare = 0.1;
/** An unfinished one this old was left by a server that was killed. */
const leftAfterMs = 60 * 60_000;
const lookedAtOnce = 32;

/** Where one is written before it has its name, and a place for a file that is needed meanwhile. */
export type Unfinished = Record<'to' | 'raw', string>;
/** False when none was needed after all. Rejects with `NotYet` when it may be had later. */
type Write = (unfinished: Unfinished) => Promise<boolean>;

export function madeFiles({ dataDir, log, signal }: MediaWork, kind: KindOfFile) {
  const { extension, one } = kinds[kind];
  const given = join(dataDir, kinds[kind].folder);
  /** With every link resolved, once it exists. */
  let folder = given;
  let made = new Set<string>();
  /** Names of which none can be made, until the server starts again. */
  const over = new Set<string>();
  const pathOf = (name: string): string => join(folder, name);

  async function remove(names: readonly string[]): Promise<void> {
    for (const name of names) {
      made.delete(name);
      await rm(pathOf(name), { force: true });
    }
  }

  return {
    /** Reads which of them this or another server has made by now. */
    async look(): Promise<void> {
      folder = await realpath(given).catch(() => given);
      made = await madeIn(folder, extension);
    },
    /** Names have the extension. Null while there is none. */
    of: (name: string): string | null => (made.has(name) ? pathOf(name) : null),
    isWanted: (name: string): boolean => !made.has(name) && !over.has(name),
    /** Call it when a file no longer exists: the folder was deleted, or another server removed it. */
    forget(path: string): void {
      if (dirname(path) === folder) made.delete(basename(path));
    },
    /** Removes those of other names. */
    keepOnly: (names: { has(name: string): boolean }) => remove([...made].filter((name) => !names.has(name))),
    async keepLatest(most: number): Promise<void> {
      if (made.size <= most) return;
      const aged = [...made].map(
        async (name) => [name, (await stat(pathOf(name)).catch(() => null))?.mtimeMs ?? 0] as const,
      );
      const oldest = (await Promise.all(aged)).toSorted(([, a], [, b]) => a - b).slice(0, -most);
      await remove(oldest.map(([name]) => name));
    },
    /** Whether more of them may be on this disk. Makes the folder. */
    async hasRoom(): Promise<boolean> {
      await makeFolder(given);
      folder = await realpath(given);
      const { bavail, blocks } = await statfs(folder);
      return bavail >= blocks * leastFreeShare;
    },
    /** Whether it made one, which another server may have done meanwhile. A failure is logged with what it is `about`. */
    async make(name: string, about: object, write: Write): Promise<boolean> {
      // Two servers may make the same one at once.
      const to = pathOf(`.${randomUUID()}-${name}`);
      const raw = `${to}.raw`;
      try {
        const isThereAlready = await isThere(pathOf(name));
        const isMade = !isThereAlready && (await write({ to, raw }));
        if (isMade) await nameWhole(to, pathOf(name));
        (isMade || isThereAlready ? made : over).add(name);
        return isMade;
      } catch (error) {
        if (signal.aborted || error instanceof NotYet) return false;
        over.add(name);
        log.warn({ ...about, detail: asError(error).message.slice(0, 200) }, `catalogue.${one}-failed`);
        return false;
      } finally {
        for (const left of [raw, to]) await rm(left, { force: true });
      }
    },
  };
}

/** An empty one is what a loss of power has left of it. */
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );

/** Names of the complete files. Removes unfinished ones of a server that was killed. */
async function madeIn(folder: string, extension: string): Promise<Set<string>> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith('.'))) {
    const changed = await stat(join(folder, name)).catch(() => null);
    if (changed !== null && Date.now() - changed.mtimeMs > leftAfterMs) await rm(join(folder, name), { force: true });
  }
  const complete = new Set<string>();
  for (const some of chunked(
    names.filter((name) => name.endsWith(extension) && !name.startsWith('.')),
    lookedAtOnce,
  )) {
    const there = await Promise.all(some.map((name) => isThere(join(folder, name))));
    some.filter((_, index) => there[index]).forEach((name) => complete.add(name));
  }
  return complete;
}
