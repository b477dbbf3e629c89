/** Matches a typed query with a title: without case, accents or punctuation, word by word. */

/** `Déjà-vu!` becomes `deja vu`. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** More different words than anybody types; each is looked for in every text, and whoever asks says how many. */
const mostWords = 12;

/** The words of a query: each once, and not more than are looked for. */
export function wordsOf(query: string): string[] {
  return [...new Set(folded(query).split(' ').filter(Boolean))].slice(0, mostWords);
}

/**
 * How well a folded text answers the words: 0 when one is missing, more for whole words and for a match at the start.
 * `padded` is the text with a space before and after it.
 */
export function relevance(padded: string, words: readonly string[]): number {
  if (words.length === 0) return 0;
  let sum = padded.startsWith(words.join(' '), 1) ? 2 : 0;
  for (const word of words) {
    const at = padded.indexOf(word);
    if (at < 0) return 0;
    sum += placeOf(padded, word, at);
  }
  return sum;
}

/** 3 for a whole word, 2 for the beginning of one, 1 for a part; the best place of all. */
function placeOf(padded: string, word: string, first: number): number {
  let best = 1;
  for (let at = first; at >= 0 && best < 3; at = padded.indexOf(word, at + 1)) {
    if (padded[at - 1] !== ' ') continue;
    best = padded[at + word.length] === ' ' ? 3 : 2;
  }
  return best;
}
