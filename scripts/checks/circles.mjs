/** Finds files that import each other in a circle: none of them can be read, moved or tested without the others. */
import { importsOf } from './imports.mjs';

const isModule = (path) => /\.(?:tsx?|mjs)$/.test(path) && !path.endsWith('.d.ts');

/** Circles that were there when types began to count, by the file that a walk enters first. None may be added. */
const stillThere = [];

/**
 * Each circle once, those of types alone included.
 * @param {readonly import('./sources.mjs').Source[]} sources @param {readonly string[]} [allowed]
 */
export function importCircles(sources, allowed = stillThere) {
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
  const gone = allowed.filter((start) => !found.some((circle) => circle.startsWith(`${start} → `)));
  return [
    ...found.filter((circle) => !allowed.some((start) => circle.startsWith(`${start} → `))),
    ...gone.map((start) => `${start} is a circle no longer: take it off the list in circles.mjs`),
  ];
}
