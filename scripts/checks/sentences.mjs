/**
 * Every sentence of the web app is marked (web/src/language/t.ts) and has its text in every language. A mark that lacks a
 * text fails the build too; this says all of them at once.
 */
import { parseSync, visitorKeys } from 'oxc-parser';
import { languages, readCatalogue, sentencesOf, translated } from '../../web/languages/translate.mjs';
import { isTest, isTestSupport, lineAt } from './sources.mjs';

/** Attributes and fields that people read or hear. */
const readNames = /^(?:aria-label|aria-valuetext|title|label|words|message|placeholder|alt|heading|hint|note)$/;
const isText = (text) => /\p{L}{2}/u.test(text) && !ownNames.has(text.trim());
/** The same in every language. */
const ownNames = new Set(['Tunemate', 'ROOM123', 'PUBLIC_URL=']);

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function sentenceProblems(sources) {
  const pages = sources.filter(
    ({ path }) => path.startsWith('web/src/') && /\.tsx?$/.test(path) && !isTest(path) && !isTestSupport(path),
  );
  const sentences = sentencesOf(pages);
  return [
    ...pages.flatMap(unmarked),
    ...Object.keys(languages).flatMap((language) => missing(language, pages, sentences)),
  ];
}

/** Texts of elements, and what is given to attributes and fields that are read, written without a mark. */
function unmarked({ path, text }) {
  const problems = [];
  const visit = (node) => {
    for (const found of read(node).flatMap(literals)) {
      if (isText(found.value))
        problems.push(`${path}:${lineAt(text, found.start)}: "${found.value.trim()}" is not marked with t`);
    }
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [node[key]].flat()) if (child) visit(child);
    }
  };
  visit(parseSync(path, text).program);
  return problems;
}

/** The expressions of a node that end on the screen or in a screen reader. */
function read(node) {
  if (node.type === 'JSXText') return [node];
  if (node.type === 'JSXAttribute') return readNames.test(node.name.name) && node.value ? [node.value] : [];
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return node.children.filter(({ type }) => type === 'JSXExpressionContainer');
  if (node.type === 'Property' && node.key.type === 'Identifier' && readNames.test(node.key.name)) return [node.value];
  return [];
}

/** The strings that an expression may come to, as far as they are written in it. @returns {{ value: string, start: number }[]} */
function literals(node) {
  switch (node.type) {
    case 'JSXText':
      return [node];
    case 'Literal':
      return typeof node.value === 'string' ? [node] : [];
    case 'TemplateLiteral':
      return node.quasis.map(({ value, start }) => ({ value: value.cooked ?? '', start }));
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return literals(node.expression);
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(literals);
    case 'LogicalExpression':
      return (node.operator === '&&' ? [node.right] : [node.left, node.right]).flatMap(literals);
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right].flatMap(literals) : [];
    default:
      return [];
  }
}

function missing(language, pages, sentences) {
  const catalogue = readCatalogue(language);
  if (catalogue === null) return [];
  const absent = [...sentences].filter((key) => !catalogue.get(key));
  if (absent.length > 0) return absent.map((key) => `${language}: no translation of "${key}" (npm run sentences)`);
  const left = [...catalogue.keys()].filter((key) => key !== '' && !sentences.has(key));
  return [
    ...left.map((key) => `${language}: "${key}" is in no source (npm run sentences)`),
    ...pages.flatMap(({ path, text }) => unfit(language, path, text, catalogue)),
  ];
}

/** Translations whose placeholders are not those of their sentence, or that are no messages. */
function unfit(language, path, text, catalogue) {
  try {
    translated(path, text, catalogue);
    return [];
  } catch (error) {
    return [`${language}: ${error.message}`];
  }
}
