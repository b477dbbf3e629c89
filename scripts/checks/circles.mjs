/** Checks that no files import each other in a circle: such files can only be read, moved and tested together. */
import { importsOf } from './imports.mjs';
import { isTest } from './sources.mjs';

/** One line for each circle of product files; imports of types and lazy imports count. @param {readonly import('./sources.mjs').Source[]} sources @returns {string[]} */
export function circles(sources) {
  const files = sources.filter(
    ({ path }) => /^(?:playback|protocol|domain|server|web)\/.*\.tsx?$/.test(path) && !isTest(path),
  );
  const paths = new Set(files.map(({ path }) => path));
  const targets = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => (paths.has(target) ? [target] : []))]),
  );
  const found = [];
  const done = new Set();
  const way = [];
  const follow = (path) => {
    const at = way.indexOf(path);
    if (at >= 0) found.push([...way.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    way.push(path);
    targets.get(path).forEach(follow);
    way.pop();
    done.add(path);
  };
  for (const path of paths) follow(path);
  return found.map((circle) => `${circle}: files import each other in a circle`);
}
