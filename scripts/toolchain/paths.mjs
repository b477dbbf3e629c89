/** Where things are in this repository. Runs on Node 20 with nothing installed, like everything in this folder. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds the root package.json. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A path inside the repository, made absolute. */
export const inRoot = (...parts) => join(root, ...parts);

const neverOurs = new Set(['node_modules', 'dist', 'data', 'test-results', 'playwright-report', 'coverage']);

/** Every file under `folder` that people wrote, relative to the root, with `/` between the parts. */
export function filesUnder(folder = '') {
  const entries = readdirSync(inRoot(folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (neverOurs.has(entry.name) || entry.name.startsWith('.')) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

/** When a file, or the newest thing in a folder, last changed (milliseconds); 0 when it is not there. */
export function changedAtMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAtMs(join(path, name))));
}
