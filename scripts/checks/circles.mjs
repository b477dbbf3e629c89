/** Finds files that import each other in a circle: none of them can be read, moved or tested without the others. */
import { importsOf } from './imports.mjs';

const isModule = (path) => /\.(?:tsx?|mjs)$/.test(path) && !path.endsWith('.d.ts');

/**
 * Each circle once, those of types alone included.
 * @param {readonly import('./sources.mjs').Source[]} sources
 */
export function importCircles(sources) {
  const graph = new Map(
    sources
      .filter(({ path }) => isModule(path))
      .map((source) => [source.path, importsOf(source).map(({ target }) => target)]),
  );
  const done = new Set();
  const found = [];
  const visit = (path, trail) => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) found.push(`${[...trail.slice(seenAt), path].join(' → ')} (a circle)`);
    if (seenAt >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}
