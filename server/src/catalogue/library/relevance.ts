/** How well what is known of a track answers a typed query: word by word, in any order and plain letters. */
import { folded, type SearchedWord, searchedText } from '@tunemate/domain';

/** Before each name that is written in one word. */
const inOne = '\n';

/** `Pink Floyd` as `pinkfloyd`, for each name of several words: their beginnings are found too. */
export function inOneWord(names: readonly string[]): string {
  const glued = names.map((name) => folded(name)).filter((name) => name.includes(' '));
  return glued.map((name) => `${inOne}${name.replaceAll(' ', '')}`).join('');
}
/** A part of what an item is found by, with the names in one word behind it. */
export const searchedPart = (texts: readonly string[], names: readonly string[] = texts): string =>
  [searchedText(texts.join(' ')), inOneWord(names)].join('');

/** Whether an item of these parts may have every word; most of a large library has not. */
export const mayHave = (parts: readonly string[], words: readonly SearchedWord[]): boolean =>
  words.every((spellings) => spellings.some((word) => parts.some((part) => part.includes(word))));

/** The texts of an item that a search compares: its name, which is the first `naming` parts, and all of its parts. */
export function joinedParts(parts: readonly string[], naming: number): { named: string; all: string } {
  const cut = parts.map((part) => (part.includes(inOne) ? part.indexOf(inOne) : part.length));
  const words = parts.map((part, at) => part.slice(0, cut[at]));
  const named = ` ${words.slice(0, naming).join(' ')} `;
  return {
    named,
    all: ` ${named} ${words.slice(naming).join(' ')} ${parts.map((part, at) => part.slice(cut[at])).join('')}`,
  };
}

/** Shorter words are not searched inside a name written in one word: they match too many items. */
const leastInOne = 5;

/**
 * How well a folded text answers the words: 0 when one is missing, more for whole words and for a match at the start.
 * `padded` is the text with a space before and after it, and then its names in one word.
 */
export function relevanceTo(words: readonly SearchedWord[]): (padded: string) => number {
  const together = words.map(([word]) => word).join(' ');
  return (padded) => {
    if (words.length === 0) return 0;
    const found = padded.indexOf(inOne);
    const end = found < 0 ? padded.length : found;
    let sum = padded.startsWith(together, 1) ? 2 : 0;
    for (const spellings of words) {
      let best = 0;
      for (const word of spellings) best = Math.max(best, relevanceOf(padded, end, word));
      if (best === 0) return 0;
      sum += best;
    }
    return sum;
  };
}

/** `end` is where the names in one word begin. */
function relevanceOf(padded: string, end: number, word: string): number {
  const at = padded.indexOf(word);
  if (at >= 0 && at < end) return placeOf(padded, word, at);
  return at >= 0 && word.length >= leastInOne && padded.includes(`${inOne}${word}`, end) ? 1 : 0;
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
