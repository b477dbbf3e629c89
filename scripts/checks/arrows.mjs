/** Checks that imports follow the arrows of `arrows-table.mjs`, go through a workspace's front door, and never in circles. */
import { arrows, words } from './arrows-table.mjs';
import { importsOf } from './imports.mjs';
import { isTest, isTestSupport } from './sources.mjs';

const isModule = (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts');
const workspaceOf = (path) => path.slice(0, path.indexOf('/'));
const products = new Set(['playback', 'protocol', 'domain', 'server', 'web']);

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function forbiddenImports(sources) {
  const modules = sources
    .filter(({ path }) => isModule(path) && !isTest(path) && !isTestSupport(path) && products.has(workspaceOf(path)))
    .map((source) => ({ path: source.path, imports: importsOf(source) }));
  const forbidden = modules.flatMap(({ path, imports }) =>
    imports.flatMap((one) => brokenArrows(path, one).map((name) => `${path}:${one.line}: ${one.target} (${name})`)),
  );
  return [...forbidden, ...circles(modules)];
}

function brokenArrows(path, { target, typeOnly, isRelative }) {
  const word = words.find((one) => path.split('/')[2] === one);
  const fill = (pattern) => {
    const others = words.filter((one) => one !== word);
    return new RegExp(
      pattern.replaceAll('<word>', word ?? '(?!)').replaceAll('<other-word>', `(?:${others.join('|')})`),
    );
  };
  const broken = arrows.filter(({ from, only, never, typesOnly }) => {
    if (!fill(from).test(path)) return false;
    if (only !== undefined && !fill(only).test(target)) return true;
    if (never !== undefined && fill(never).test(target)) return true;
    return typesOnly !== undefined && !typeOnly && fill(typesOnly).test(target);
  });
  const byTheWindow = isRelative && workspaceOf(target) !== workspaceOf(path);
  return [...broken.map(({ name }) => name), ...(byTheWindow ? ['another workspace is imported by its name'] : [])];
}

/** Files that need each other at run time, each circle told once. */
function circles(modules) {
  const graph = new Map(
    modules.map(({ path, imports }) => [path, imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target)]),
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
