/**
 * Marks a sentence that people read, in English. The build replaces each mark by the sentence of one language
 * (web/languages), so that no page loads a catalogue or looks a sentence up. Development and tests run this function:
 * English as written.
 */
export function t(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((sentence, part, index) => `${sentence}${values[index - 1] ?? ''}${part}`);
}

/** The place in a sentence of something that is not text, such as an address in bold type. */
export const gap = '\u{FFFC}';

/** The text before and after the `gap` of a sentence. */
export function around(sentence: string): readonly [before: string, after: string] {
  const [before = '', after = ''] = sentence.split(gap);
  return [before, after];
}

/** The language of this page's sentences (BCP 47). */
export const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en';

/** The locale of dates and numbers: the reader's own for this language, such as `en-GB`. */
export const locale = navigator.languages.find((own) => own.split('-')[0] === language) ?? language;
