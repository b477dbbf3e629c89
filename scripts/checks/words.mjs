/**
 * Finds what must not be left behind in code and documents: promises for later, tests that do not run, ways round the
 * type checker, half of a merge.
 */
import { lineAt } from './sources.mjs';

const unwanted = [
  { words: /\b(?:TODO|FIXME|XXX|HACK)\b/g, because: 'left for later' },
  {
    words: /\b(?:it|test|describe)\.(?:skip|only|todo|fails|fixme)\b/g,
    because: 'a test that does not run, or keeps others from running',
  },
  { words: /^\s*(?:<{7}|>{7})(?: .*)?$/gm, because: 'a merge that was not finished' },
  { words: /@ts-(?:ignore|nocheck|expect-error)|(?:oxlint|eslint)-disable/g, because: 'a way round the checks' },
];

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function leftovers(sources) {
  return sources
    .filter(({ path }) => !path.startsWith('scripts/checks/'))
    .flatMap(({ path, text }) =>
      unwanted.flatMap(({ words, because }) =>
        [...text.matchAll(words)].map((hit) => `${path}:${lineAt(text, hit.index)}: ${hit[0]} (${because})`),
      ),
    );
}
