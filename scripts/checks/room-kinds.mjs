/**
 * Keeps the two kinds of room one implementation: what differs stands in the kind tables (files named *room-kind*),
 * and nothing else asks whether a room is an audio or a video room.
 */
import { isTest, lineAt } from './sources.mjs';

const kind = String.raw`(?:\b(?:room)?kind\b|\broomKind\b)`;
const name = String.raw`['"](?:audio|video)['"]`;
const comparisons = new RegExp(
  `${kind}\\s*[!=]==?\\s*${name}|${name}\\s*[!=]==?\\s*(?:\\w+\\.)*${kind}|\\bcase\\s+${name}\\s*:`,
  'g',
);

const watched = /^(?:protocol|domain|server|web)\/src\/.*\.tsx?$/;
/** The tables themselves, and the catalogue, whose items have a media kind of their own. */
const allowed = /room-kind|\/catalogue\//;

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function kindComparisons(sources) {
  return sources
    .filter(({ path }) => watched.test(path) && !allowed.test(path) && !isTest(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(comparisons)].map(
        (hit) => `${path}:${lineAt(text, hit.index)}: ${hit[0]} (put what differs into a room-kind table)`,
      ),
    );
}
