/** What the journeys in every language know of them: the sentences, and how English that was left over is found. */
import type { Page } from '@playwright/test';
import { languages, readCatalogue } from '../web/languages/translate.mjs';

export const catalogues = Object.keys(languages).flatMap((language) => {
  const catalogue = readCatalogue(language);
  return catalogue === null ? [] : [{ language, catalogue }];
});

/** The sentence in this language. */
export function inLanguage(language: string, english: string): string {
  const text = catalogues.find((one) => one.language === language)?.catalogue.get(english);
  if (!text) throw new Error(`${language} has no "${english}"`);
  return text;
}

/** The head of a catalogue, and the name of the product, which one word for friends shares. */
const notEnglish = ['', 'Tunemate'];

const latin = /\p{Script=Latin}{3,}/gu;
/** What is written in Latin letters in every language: names, and what a browser calls itself. */
const ownWords = new Set([
  ...'Vera example test ROOM ABC Linux Chrome Tunemate api listenbrainz org'.split(' '),
  ...Object.values(languages),
]);

/** A room's code, which may have letters in a row. */
const roomCode = /\b[\dA-F]{6}\b/gu;

/**
 * Finds Latin words in a text of a page whose language has another script, other than those of its catalogue. In a
 * language that is written in Latin letters every word could be its own: none is found.
 */
function foreignWordFinder(
  catalogue: ReadonlyMap<string, string>,
): (text: string, own: ReadonlySet<string>) => boolean {
  const translations = [...catalogue.values()].join(' ');
  if ((translations.match(latin)?.length ?? 0) > translations.length / 20) return () => false;
  const known = new Set([...translations.matchAll(latin)].map(([word]) => word));
  return (text, own) =>
    [...text.replaceAll(roomCode, '').matchAll(latin)].some(([word]) => !known.has(word) && !own.has(word));
}

/** Everything that is read or heard on the page; and what people wrote, which has a direction of its own. */
const readOn = (page: Page): Promise<{ texts: string[]; ofPeople: string[] }> =>
  page.evaluate(() => {
    const [texts, ofPeople]: [string[], string[]] = [[], []];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const words = textContent?.trim() ?? '';
      texts.push(words);
      if (parentElement?.closest('[dir="auto"]')) ofPeople.push(words);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        // What says that it is of another language, as the names of emoji do where a language has none.
        if (element.closest('[lang]') === document.documentElement) texts.push(element.getAttribute(name) ?? '');
      }
    }
    return { texts, ofPeople };
  });

/** English sentences with values in them. Those of few words could be met in any text. */
function patternsOf(sentences: readonly string[]): RegExp[] {
  return sentences.flatMap((sentence) => {
    const parts = sentence.split(/\{\w+\}/u);
    const isLong = parts.length > 1 && (parts.join(' ').match(latin)?.length ?? 0) > 1;
    const escaped = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`));
    return isLong ? [new RegExp(`^${escaped.join('.+')}$`, 'u')] : [];
  });
}

/** Texts of this page that are English, where the language is another. */
export function englishFinder(
  { catalogue }: Pick<(typeof catalogues)[number], 'catalogue'>,
  more: readonly string[] = [],
): (page: Page) => Promise<string[]> {
  const sentences = [...catalogue].flatMap(([key, text]) => (text === key || notEnglish.includes(key) ? [] : [key]));
  const english = new Set(sentences);
  const patterns = patternsOf(sentences);
  const hasForeignWord = foreignWordFinder(catalogue);
  /** Most texts are on every page, and each is held against hundreds of sentences. */
  const known = new Map<string, boolean>();
  const isSentence = (text: string): boolean => {
    const is = known.get(text) ?? (english.has(text) || patterns.some((one) => one.test(text)));
    known.set(text, is);
    return is;
  };
  return async (page) => {
    const { texts, ofPeople } = await readOn(page);
    const own = new Set([...ownWords, ...more, ...ofPeople.flatMap((text) => text.match(latin) ?? [])]);
    return texts.filter((text) => isSentence(text) || hasForeignWord(text, own));
  };
}
