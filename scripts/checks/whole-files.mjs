/**
 * Keeps one way in which a file of the server gets its name: `system/whole-files.ts` brings to the disk what is to stay,
 * before and after. A rename or a new folder of another file may be gone, or empty, after a loss of power.
 */
import { isTest, lineAt, withoutComments } from './sources.mjs';

const theOneWay = 'server/src/system/whole-files.ts';
const naming = /\b(?:rename|mkdir)(?:Sync)?\(/g;

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function looseNames(sources) {
  return sources
    .filter(({ path }) => path.startsWith('server/src/') && path !== theOneWay && !isTest(path))
    .map(withoutComments)
    .flatMap(({ path, text }) =>
      [...text.matchAll(naming)].map(
        (hit) =>
          `${path}:${lineAt(text, hit.index)}: ${hit[0]} (use nameWhole, writeWhole or makeFolder of ${theOneWay})`,
      ),
    );
}
