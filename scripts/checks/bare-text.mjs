/**
 * Keeps pages whole while others change their text: a browser's translation puts each text node into elements of its
 * own, and React then fails to insert or remove beside it, or changes the words of a node that is no longer shown.
 * Both can't happen where a text is the only child of its element, which this check asks for.
 */
import { parseSync, visitorKeys } from 'oxc-parser';
import { isTest, isTestSupport, lineAt } from './sources.mjs';

const isScreen = ({ path }) =>
  path.startsWith('web/') && path.endsWith('.tsx') && !isTest(path) && !isTestSupport(path);

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function bareTexts(sources) {
  return sources.filter(isScreen).flatMap(({ path, text }) => {
    const { program } = parseSync(path, text);
    const file = readFile(program);
    return file.parents.flatMap((parent) =>
      besides(parent, file).map(
        (child) =>
          `${path}:${lineAt(text, child.start)}: ${text.slice(child.start, child.end).replaceAll(/\s+/g, ' ').trim()}` +
          ' (text beside other children: give it an element of its own, or one template for all of the text)',
      ),
    );
  });
}

/** The children that are, or may be, text beside something else. */
function besides(parent, file) {
  const children = parent.children.filter((child) => !isBlank(child));
  if (children.length < 2) return [];
  // What is always there and never changes can't be lost.
  if (children.every(isFixed)) return [];
  return children.filter((child) => !isElements(child, file));
}

const isBlank = (child) =>
  (child.type === 'JSXText' && child.value.trim() === '' && (child.value.includes('\n') || child.value === '')) ||
  (child.type === 'JSXExpressionContainer' && child.expression.type === 'JSXEmptyExpression');

const isFixed = (child) =>
  child.type === 'JSXText' ||
  (child.type === 'JSXExpressionContainer' && (child.expression.type === 'Literal' || isSentence(child.expression))) ||
  (child.type === 'JSXElement' && /^[a-z]/.test(child.openingElement.name.name ?? ''));

/** A sentence without values never changes while a page runs (web/src/language/t.ts). */
const isSentence = (node) =>
  node.type === 'TaggedTemplateExpression' && node.tag.name === 't' && node.quasi.expressions.length === 0;

/** True where nothing but elements, lists of elements, or nothing at all can come of it. */
function isElements(node, file) {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return true;
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return isElements(node.expression, file);
    case 'Literal':
      return node.value === null || typeof node.value === 'boolean';
    case 'LogicalExpression':
      return isElements(node.right, file) && (node.operator === '&&' || isElements(node.left, file));
    case 'ConditionalExpression':
      return isElements(node.consequent, file) && isElements(node.alternate, file);
    case 'CallExpression':
      return isMap(node) ? isElements(node.arguments.at(-1), file) : isElements(node.callee, file);
    case 'ArrowFunctionExpression':
      return node.body.type === 'BlockStatement'
        ? node.body.body
            .filter(({ type }) => type === 'ReturnStatement')
            .every(({ argument }) => isElements(argument, file))
        : isElements(node.body, file);
    case 'Identifier':
      return node.name === 'undefined' || file.isElement(node.name);
    case 'MemberExpression':
      return file.isElement(node.property.name);
    default:
      return false;
  }
}

const isMap = ({ callee }) =>
  callee.type === 'MemberExpression' && ['map', 'flatMap', 'from'].includes(callee.property.name);

/** All elements of a file, and which of its names stand for elements: by their type, or by what they are made from. */
function readFile(program) {
  const parents = [];
  const made = new Map();
  const typed = new Set();
  const walk = (node) => {
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') parents.push(node);
    if (node.type === 'VariableDeclarator' && node.init) made.set(node.id.name, node.init);
    const type = node.typeAnnotation?.typeAnnotation;
    if (node.type === 'TSPropertySignature' && isElementType(type)) typed.add(node.key.name);
    if (node.type === 'Identifier' && isElementType(type)) typed.add(node.name);
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [node[key]].flat()) if (child) walk(child);
    }
  };
  walk(program);
  const file = {
    parents,
    isElement: (name) => typed.has(name) || (made.has(name) && isElements(made.get(name), file)),
  };
  return file;
}

const withoutText = new Set(['TSNullKeyword', 'TSUndefinedKeyword']);
/** The type of one element, and `Elements` of web/src/ui/OwnText.tsx, to which no text can be assigned. */
const elementTypes = new Set(['ReactElement', 'Elements']);

function isElementType(type) {
  switch (type?.type) {
    case 'TSUnionType':
      return type.types.every(isElementType);
    case 'TSFunctionType':
      return isElementType(type.returnType.typeAnnotation);
    case 'TSTypeReference':
      return elementTypes.has(type.typeName.name);
    default:
      return withoutText.has(type?.type);
  }
}
