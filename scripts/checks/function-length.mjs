/** Keeps functions short enough to see as a whole. Past the limit a function is to be split by what its parts decide. */
import { parseSync, Visitor } from 'oxc-parser';
import { isTest, lineAt } from './sources.mjs';

const mostLines = 80;

/**
 * Functions that were longer when this check came, with their length then: none may grow, and none may be added. An
 * entry goes when its function is short enough.
 * @type {Readonly<Record<string, number>>}
 */
const stillLong = {
  'library/make/encode.ts#encodeFilm': 86,
  'testkit/src/fake-youtube.ts#install': 140,
  'testkit/src/people-schedule.ts#runSchedule': 82,
  'web/src/accounts/session-model.ts#createSessionModel': 82,
  'web/src/chats/ConversationLog.tsx#ConversationLog': 123,
  'web/src/chats/conversation-model.ts#createConversationModel': 129,
  'web/src/connection/connection.ts#createConnection': 146,
  'web/src/connection/streams.ts#createStreams': 116,
  'web/src/rooms/join-model.ts#createJoinModel': 88,
  'web/src/screen-tests/fake-server.ts#createFakeServer': 83,
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
