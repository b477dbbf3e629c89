/**
 * Every file below a folder, links resolved. A link that leads out of the folder is skipped: a person who can write
 * into a shared music folder must not be able to publish the rest of the disk.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Deeper folders are not looked into. */
const maxDepth = 16;

export interface FoundFile {
  /** From the folder, as the operator sees it. */
  relativePath: string;
  /** Absolute, links resolved. */
  path: string;
  size: number;
  modifiedMs: number;
}

export type WalkStep =
  | { type: 'found'; file: FoundFile }
  | { type: 'skipped'; relativePath: string; reason: 'outside' | 'unreadable' | 'too-deep' };

/** Both with every link resolved. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Walks in the order of names. Hidden entries are passed over. Throws when `folder` itself can't be read. */
export async function* walkFolder(folder: string): AsyncGenerator<WalkStep> {
  const root = await realpath(folder);
  const entered = new Set<string>([root]);
  yield* walk(folder, 0);

  async function* walk(current: string, depth: number): AsyncGenerator<WalkStep> {
    const names = (await readdir(current)).filter((name) => !name.startsWith('.')).sort();
    for (const name of names) yield* visit(join(current, name), depth);
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
        yield { type: 'found', file: { relativePath, path, size: entry.size, modifiedMs: entry.mtimeMs } };
      } else if (entry.isDirectory() && !entered.has(path)) {
        entered.add(path);
        if (depth >= maxDepth) yield { type: 'skipped', relativePath, reason: 'too-deep' };
        else yield* walk(shown, depth + 1);
      }
    } catch {
      // Deleted meanwhile, not readable, or a broken link: the rest of the folder is still read.
      yield { type: 'skipped', relativePath, reason: 'unreadable' };
    }
  }
}
