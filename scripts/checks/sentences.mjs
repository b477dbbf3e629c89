/**
 * Every sentence of the web app is marked (web/src/language/t.ts) and has its text in every language. A mark that lacks a
 * text fails the build too; this says all of them at once.
 */
import { parseSync, visitorKeys } from 'oxc-parser';
import { languages, readCatalogue, sentencesOf, translated } from '../../web/languages/translate.mjs';
import { isTest, isTestSupport, lineAt } from './sources.mjs';

/** Attributes that people read or hear. */
const readAttributes = new Set(['aria-label', 'aria-valuetext', 'title', 'label', 'placeholder', 'alt']);
const isText = (text) => /\p{L}{2}/u.test(text) && !ownNames.has(text.trim());
/** The same in every language. */
const ownNames = new Set(['Tunemate', 'ROOM123']);

/** @param {readonly import('./sources.mjs').Source[]} sources */
export function sentenceProblems(sources) {
  const pages = sources.filter(
    ({ path }) => path.startsWith('web/src/') && /\.tsx?$/.test(path) && !isTest(path) && !isTestSupport(path),
  );
  const sentences = new Set(sentencesOf(pages).keys());
  return [
    ...pages.flatMap(unmarked),
    ...Object.keys(languages).flatMap((language) => missing(language, pages, sentences)),
  ];
}

/** Text and attributes of elements that are written without a mark. */
function unmarked({ path, text }) {
  if (!path.endsWith('.tsx')) return [];
  const problems = [];
  const visit = (node) => {
    const found =
      node.type === 'JSXText' ? node : node.type === 'JSXAttribute' && readAttributes.has(node.name.name) && node.value;
    if (found && typeof found.value === 'string' && isText(found.value)) {
      problems.push(`${path}:${lineAt(text, found.start)}: "${found.value.trim()}" is not marked with t`);
    }
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [node[key]].flat()) if (child) visit(child);
    }
  };
  visit(parseSync(path, text).program);
  return problems;
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
