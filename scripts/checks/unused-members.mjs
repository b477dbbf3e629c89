/**
 * Finds what is declared in a table and used by no product code: limits, error codes and settings. An unused export is
 * knip's to find; these are members of one object, which it does not see.
 */
import { isTest, isTestSupport, withoutComments } from './sources.mjs';

const productFolders = /^(?:playback|protocol|domain|server|web)\//;
const isProduct = ({ path }) =>
  productFolders.test(path) && !isTest(path) && !isTestSupport(path) && !path.endsWith('.css');

/** Where each kind is declared, how its members are found there, and what a use of one looks like. */
const tables = [
  {
    what: 'limit',
    declaredIn: 'protocol/src/wire/limits.ts',
    members: /^ {2}(\w+):/gm,
    use: (name) => new RegExp(`\\blimits\\.${name}\\b`),
    notIn: [],
  },
  {
    what: 'error code',
    declaredIn: 'protocol/src/wire/errors.ts',
    members: /^ {2}'([a-z]+\/[a-z-]+)',/gm,
    use: (name) => new RegExp(`'${name}'`),
    // The tables of HTTP statuses and sentences have a line for every code, whether or not anything refuses with it.
    notIn: ['server/src/http/answers.ts', 'web/src/words/'],
  },
  {
    what: 'setting',
    declaredIn: 'server/src/config.ts',
    members: /^ {2}(\w+): (?:string|number|boolean)[\w [\]|]*;$/gm,
    use: (name) => new RegExp(`\\b${name}\\b`),
    notIn: [],
  },
];

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function unusedMembers(sources) {
  const product = sources.filter(isProduct).map(withoutComments);
  return tables.flatMap(({ what, declaredIn, members, use, notIn }) => {
    const declaration = product.find(({ path }) => path === declaredIn);
    const names = [...(declaration?.text ?? '').matchAll(members)].map(([, name]) => name);
    if (names.length === 0) return [`${declaredIn}: no ${what} found; the check has lost its table`];
    const users = product.filter(({ path }) => path !== declaredIn && !notIn.some((place) => path.startsWith(place)));
    return names
      .filter((name) => !users.some(({ text }) => use(name).test(text)))
      .map((name) => `${declaredIn}: ${what} ${name} is used by no product code`);
  });
}
