/**
 * Walks through a folder of media: which entries are looked at, and why the others are skipped. What is skipped is
 * said; only what systems leave in folders is named here and left out.
 */
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { systemCode } from '../../../system/ports.ts';
import type { FoundFile } from '../../library/library-item.ts';

/** Deeper folders are not looked into. */
const maxDepth = 16;

type WalkReason = 'outside' | 'unreadable' | 'not-utf-8' | 'special' | 'too-deep' | 'system' | 'reached-before';

export type WalkStep =
  | { type: 'found'; file: FoundFile }
  /** `isAway`: what was there may be there again, as when a disk is mounted again. */
  | { type: 'skipped'; relativePath: string; reason: WalkReason; isAway?: boolean };

/**
 * What systems and programs keep in folders of people. All else that begins with a dot belongs to the owner of the
 * folder.
 */
const ofSystems = new Set([
  ...[
    '.ds_store',
    '.appledouble',
    '.appledb',
    '.appledesktop',
    '.apdisk',
    '.localized',
    '.fseventsd',
    '.volumeicon.icns',
  ],
  ...['.spotlight-v100', '.documentrevisions-v100', '.temporaryitems', '.stfolder', '.stversions', '.stignore'],
  ...['.git', '.gitignore', '.svn', '.hg', '.cache', '.thumbnails', '.directory', '.nomedia', '.sync', '.streams'],
  ...['.snapshot', '.snapshots', '.zfs', '.recycle', '@eadir', '@tmp', '#recycle', '#snapshot', 'lost+found'],
  ...['$recycle.bin', 'system volume information', 'thumbs.db', 'desktop.ini', '.picasa.ini', '.plexmatch'],
]);
const beginsOfSystems = [
  '._',
  '.trash',
  '.fuse_hidden',
  '.nfs0',
  '.smbdelete',
  '.syncthing.',
  '.com.apple.',
  '.~lock.',
];

export function isOfSystem(name: string): boolean {
  const small = name.toLowerCase();
  return ofSystems.has(small) || beginsOfSystems.some((begin) => small.startsWith(begin));
}

/** Both with every link resolved. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Every file below a folder, links resolved, in the order of names. A link that leads out of the folder is skipped: a
 * person who can write into a shared music folder must not be able to publish the rest of the disk. Throws when
 * `folder` itself can't be read.
 */
export async function* walkFolder(folder: string): AsyncGenerator<WalkStep> {
  const root = await realpath(folder);
  const entered = new Set<string>([root]);
  yield* walk(folder, 0);

  async function* walk(current: string, depth: number): AsyncGenerator<WalkStep> {
    for (const name of (await readdir(current)).sort()) {
      const shown = join(current, name);
      if (isOfSystem(name)) yield { type: 'skipped', relativePath: relative(folder, shown), reason: 'system' };
      else yield* visit(shown, depth);
    }
  }

  async function* visit(shown: string, depth: number): AsyncGenerator<WalkStep> {
    const relativePath = relative(folder, shown);
    try {
      const path = await realpath(shown);
      if (!isInside(root, path)) {
        yield { type: 'skipped', relativePath, reason: 'outside' };
        return;
      }
      const entry = await stat(path);
      if (entry.isFile()) {
        const { size, mtimeMs: modifiedMs, ino: inode } = entry;
        yield { type: 'found', file: { relativePath, path, size, modifiedMs, inode } };
      } else if (entry.isDirectory()) {
        if (entered.has(path)) {
          yield { type: 'skipped', relativePath, reason: 'reached-before' };
          return;
        }
        entered.add(path);
        if (depth >= maxDepth) yield { type: 'skipped', relativePath, reason: 'too-deep' };
        else yield* walk(shown, depth + 1);
      } else yield { type: 'skipped', relativePath, reason: 'special' };
    } catch (error) {
      // Deleted meanwhile, not readable, or a broken link: the rest of the folder is still read.
      const reason = basename(shown).includes('\uFFFD') ? 'not-utf-8' : 'unreadable';
      yield { type: 'skipped', relativePath, reason, isAway: await isAway(shown, error) };
    }
  }
}

/**
 * Whether the disk failed, and not the right to read, or a link that leads nowhere. What vanishes between two looks may
 * be on a disk that was taken away: only the next walk knows whether it was deleted.
 */
async function isAway(shown: string, error: unknown): Promise<boolean> {
  const code = systemCode(error);
  if (code === 'EACCES' || code === 'EPERM') return false;
  return code !== 'ENOENT' || (await lstat(shown).catch(() => null)) === null;
}

/** How many files `counts` finds in a folder, by their names alone; links are not followed. 0 of what can't be read. */
export async function countFiles(folder: string, counts: (name: string) => boolean, depth = 0): Promise<number> {
  let found = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (isOfSystem(entry.name)) continue;
    if (!entry.isDirectory()) found += Number(counts(entry.name));
    else if (depth < maxDepth) found += await countFiles(join(folder, entry.name), counts, depth + 1);
  }
  return found;
}
