/** Keeps functions short enough to see as a whole. Past the limit a function is to be split by what its parts decide. */
import { parseSync, Visitor } from 'oxc-parser';
import { isTest, lineAt } from './sources.mjs';

const mostLines = 80;

/**
 * Functions that are still longer, with the length they may have: none may grow, and none may be added. An
 * entry goes when its function is short enough.
 * @type {Readonly<Record<string, number>>}
 */
const stillLong = {
  'server/src/accounts/sign-up-service.ts#signUpService': 115,
  'server/src/catalogue/catalogue-service.ts#catalogueService': 103,
  'server/src/catalogue/media-library.ts#openMediaLibrary': 93,
  'server/src/chats/images-service.ts#imagesService': 81,
  'server/src/chats/image-reader.ts#imageReader': 87,
  'server/src/playback/playback-service.ts#playbackService': 152,
  'server/src/presence/presence-service.ts#presenceService': 175,
  'server/src/push/push-service.ts#pushService': 91,
  'server/src/rooms/rooms-service.ts#roomsService': 152,
};

/** @param {readonly import('./sources.mjs').Source[]} sources @param {Readonly<Record<string, number>>} [allowed] */
export function longFunctions(sources, allowed = stillLong) {
  const found = sources.filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path) && !isTest(path)).flatMap(longFunctionsOf);
  const problems = found
    .filter(({ id, lines }) => lines > (allowed[id] ?? mostLines))
    .map(({ path, line, name, lines }) => `${path}:${line}: ${name} has ${lines} lines, the limit is ${mostLines}`);
  const stale = Object.keys(allowed)
    .filter((id) => !found.some((one) => one.id === id))
    .map((id) => `${id} is no longer too long: take it off the list in function-length.mjs`);
  return [...problems, ...stale];
}

/** The long functions of a file with name and length, by `path#name`. @param {import('./sources.mjs').Source} source */
function longFunctionsOf({ path, text }) {
  const names = new Map();
  const found = [];
  const isFunction = (node) => node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression';
  const nameIt = (node, key) => {
    if (isFunction(node)) names.set(node.start, text.slice(key.start, key.end));
  };
  const note = (node) => {
    const name = node.id?.name ?? names.get(node.start) ?? 'a function';
    const lines = text.slice(node.start, node.end).split('\n').length;
    if (lines > mostLines) found.push({ id: `${path}#${name}`, path, name, line: lineAt(text, node.start), lines });
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) =>
      nameIt(init, id.type === 'Identifier' ? { ...id, end: id.start + id.name.length } : id),
    Property: ({ key, value }) => nameIt(value, key),
    PropertyDefinition: ({ key, value }) => nameIt(value, key),
    MethodDefinition: ({ key, value }) => nameIt(value, key),
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(parseSync(path, text).program);
  return found;
}
