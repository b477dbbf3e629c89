/**
 * Puts the sentences of one language into the code, when it is built: each t`…` of web/src becomes a plain template of
 * that language. Catalogues are PO files, one for each language but English; their texts are ICU messages, whose
 * placeholders are named after the values of the English sentence.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { po } from 'gettext-parser';
import MagicString from 'magic-string';
import { parseSync, visitorKeys } from 'oxc-parser';

const web = join(import.meta.dirname, '..');

/** @param {string} language */
export const cataloguePath = (language) => join(import.meta.dirname, `${language}.po`);

/** The languages that Tunemate speaks, each by its own name. The first is the language of the sources. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', hi: 'हिन्दी', ar: 'العربية' };

/** @param {string} language */
export const isRightToLeft = (language) => language === 'ar';

/**
 * A sentence of the sources: its key is the English text with `{name}` for each value.
 * @typedef {{ key: string, start: number, end: number, values: Map<string, string> }} Sentence
 */

/** @param {string} path @param {string} text @returns {Sentence[]} */
export function sentencesIn(path, text) {
  if (!text.includes('t`')) return [];
  /** @type {Sentence[]} */
  const found = [];
  const visit = (node) => {
    if (node.type === 'TaggedTemplateExpression' && node.tag.name === 't') found.push(sentenceOf(node, text));
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [node[key]].flat()) if (child) visit(child);
    }
  };
  visit(parseSync(path, text).program);
  return found;
}

function sentenceOf({ quasi, start, end }, text) {
  const values = new Map();
  const names = quasi.expressions.map((expression) => {
    const source = text.slice(expression.start, expression.end);
    const wanted = nameOf(expression) ?? 'value';
    let name = wanted;
    for (let number = 2; values.has(name) && values.get(name) !== source; number++) name = `${wanted}${number}`;
    values.set(name, source);
    return name;
  });
  const key = quasi.quasis.map(({ value }, index) => value.cooked + (index < names.length ? `{${names[index]}}` : ''));
  return { key: key.join(''), start, end, values };
}

/** What a translator reads in place of a value. */
function nameOf(expression) {
  if (expression.type === 'Identifier') return expression.name;
  if (expression.type === 'MemberExpression' && !expression.computed) return expression.property.name;
  if (expression.type === 'CallExpression') {
    const [argument] = expression.arguments;
    return (argument && nameOf(argument)) ?? nameOf(expression.callee);
  }
  if (expression.type === 'ChainExpression') return nameOf(expression.expression);
  if (expression.type === 'BinaryExpression') return nameOf(expression.left);
  if (expression.type === 'UnaryExpression') return nameOf(expression.argument);
  return null;
}

/** The translations of a language, by key; null for English, which needs none. @param {string} language */
export function readCatalogue(language) {
  if (language === 'en') return null;
  const path = cataloguePath(language);
  if (!existsSync(path)) return new Map();
  const { translations } = po.parse(readFileSync(path));
  return new Map(Object.values(translations[''] ?? {}).map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? '']));
}

/**
 * Writes a catalogue, in the order of its sentences and without the files that say them, so that a file that moves
 * changes no catalogue.
 * @param {string} language @param {readonly { key: string, text: string }[]} entries
 */
export function writeCatalogue(language, entries) {
  const written = entries.map(({ key, text }) => [key, { msgid: key, msgstr: [text] }]);
  const headers = {
    Language: language,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  const catalogue = { charset: 'utf-8', headers, translations: { '': Object.fromEntries(written) } };
  const sort = (a, b) => (a.msgid < b.msgid ? -1 : 1);
  writeFileSync(cataloguePath(language), po.compile(catalogue, { foldLength: 0, sort }));
}

/** What the sources say: each sentence once. @param {readonly { path: string, text: string }[]} sources */
export function sentencesOf(sources) {
  /** @type {Set<string>} */
  const sentences = new Set();
  const isPage = ({ path }) => /^web\/src\/.*(?<!\.test)\.tsx?$/.test(path);
  const worker = { path: 'web/public/worker.js', text: readFileSync(join(web, 'public', 'worker.js'), 'utf8') };
  for (const { path, text } of [...sources.filter(isPage), worker]) {
    for (const { key } of sentencesIn(path, text)) sentences.add(key);
  }
  for (const [path, pattern] of Object.entries(plainFiles)) {
    for (const [, sentence] of readFileSync(join(web, path), 'utf8').matchAll(pattern)) sentences.add(sentence);
  }
  return sentences;
}

/** Files that hold sentences and no code, and where in them the sentences are. */
const plainFiles = {
  'index.html': /(?<=name="description" content="|<noscript>)([^"<]+)/g,
  'public/manifest.webmanifest': /(?<="description": "|\{ "name": ")([^"]+)/g,
};

/** One of the `plainFiles` in this language. @param {keyof typeof plainFiles} path @param {string} text */
export function translatedPlain(path, text, catalogue) {
  return text.replaceAll(plainFiles[path], (sentence) => {
    const translation = catalogue === null ? sentence : catalogue.get(sentence);
    if (!translation) throw new Error(`${path}: no translation of "${sentence}"`);
    return translation;
  });
}

/**
 * The text of a source file in this language.
 * @param {string} path @param {string} text @param {ReadonlyMap<string, string> | null} catalogue
 * @returns {{ code: string, map: string } | null} null where the file has no sentences
 * @throws where a sentence has no translation, or a translation has other placeholders than its sentence
 */
export function translated(path, text, catalogue) {
  const sentences = sentencesIn(path, text);
  if (sentences.length === 0) return null;
  const code = new MagicString(text);
  let needsPlural = false;
  let before = 0;
  for (const { key, start, end, values } of sentences) {
    if (start < before) throw new Error(`${path}: "${key}" is inside another sentence; give it a name of its own`);
    before = end;
    if (catalogue === null) {
      code.remove(start, start + 1);
      continue;
    }
    const { template, hasPlural } = inLanguage(path, key, values, catalogue);
    needsPlural ||= hasPlural;
    code.overwrite(start, end, template);
  }
  if (needsPlural) code.prepend(`import { plural } from '/src/language/plural.ts';\n`);
  return { code: code.toString(), map: code.generateMap({ hires: true, source: path }).toString() };
}

function inLanguage(path, key, values, catalogue) {
  const translation = catalogue.get(key);
  if (!translation) throw new Error(`${path}: no translation of "${key}"`);
  let hasPlural = false;
  // Else a name from left to right carries along the number or the dot beside it.
  const isRightToLeftText = /\p{Script=Arabic}/u.test(translation);
  const written = (name, value) =>
    isRightToLeftText && value !== 'gap' && !translation.includes(`{${name}, plural`)
      ? `\u2068\${${value}}\u2069`
      : `\${${value}}`;
  const write = (parts) => `\`${parts.map(writePart).join('')}\``;
  const valueOf = (name) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${path}: "${translation}" names {${name}}, which "${key}" does not`);
    return value;
  };
  const writePart = (part) => {
    if (part.type === TYPE.literal) return part.value.replaceAll(/[`\\]|\$\{/g, '\\$&');
    if (part.type === TYPE.argument) return written(part.value, valueOf(part.value));
    if (part.type !== TYPE.plural) throw new Error(`${path}: "${translation}" holds more than values and plurals`);
    hasPlural = true;
    const forms = Object.entries(part.options).map(([form, { value }]) => `${form}: ${write(value)}`);
    return `\${plural(${valueOf(part.value)}, { ${forms.join(', ')} })}`;
  };
  return { template: write(parse(translation, { ignoreTag: true })), hasPlural };
}
