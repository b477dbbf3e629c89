/** Keeps functions short enough to see as a whole. Past the limit a function is to be split by what its parts decide. */
import { parseSync, Visitor } from 'oxc-parser';
import { isTest, lineAt } from './sources.mjs';

const mostLines = 80;

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function longFunctions(sources) {
  const files = sources.filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path) && !isTest(path));
  return files.flatMap(longFunctionsOf);
}

/** The long functions of a file, each with its name and length. @param {import('./sources.mjs').Source} source */
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
    if (lines <= mostLines) return;
    found.push(`${path}:${lineAt(text, node.start)}: ${name} has ${lines} lines, the limit is ${mostLines}`);
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
