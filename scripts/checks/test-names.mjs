/**
 * Holds that a test is found by the name of its source: `x.test.ts` beside `x.ts`, or `x.subject.test.ts` where one file
 * would be too long. A test of a whole flow, which has no source of its own, says so: `x.flow.test.ts`.
 */

/** At most one test file in this many is of a flow. */
const filesForEachFlow = 10;

const ending = /(?:\.screen)?\.test\.(?:ts|tsx|mjs)$/;

/** @param {readonly string[]} paths every file of the repository, from its root */
export function unnamedTests(paths) {
  const named = new Set(paths.filter((path) => !ending.test(path)).map((path) => path.replace(/\.[^./]+$/, '')));
  const tests = paths.filter((path) => ending.test(path));
  const flows = tests.filter((path) => path.replace(ending, '').endsWith('.flow'));
  const most = Math.ceil(tests.length / filesForEachFlow);
  const unnamed = tests
    .filter((path) => !flows.includes(path) && !sourcesOf(path).some((source) => named.has(source)))
    .map((path) => `${path}: no file beside it has its name`);
  const tooMany = flows.length > most ? [`${flows.length} tests are of flows, at most ${most} may be`] : [];
  return [...unnamed, ...tooMany];
}

/** `a/x.subject` and `a/x` of `a/x.subject.test.ts`. @param {string} path */
function sourcesOf(path) {
  const whole = path.replace(ending, '');
  const first = whole.replace(/\.[^/]*$/, '');
  return [whole, first];
}
