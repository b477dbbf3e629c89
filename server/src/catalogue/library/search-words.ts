/** Matches a typed query with what is known of a track, as people type: word by word, in any order and plain letters. */
import { folded, notOfWords, plain } from '@tunemate/domain';

/** Signs that names are written with in place of letters. */
const letterOfSign: Readonly<Record<string, string>> = { '!': 'i', $: 's', '@': 'a', '€': 'e', '¥': 'y', '£': 'l' };
/** Letters of other alphabets that names show in place of those they look like: `KoЯn`, `SΛMURΛI`. */
const letterOfLook: Readonly<Record<string, string>> = {
  ...{ α: 'a', λ: 'a', β: 'b', ε: 'e', σ: 'e', ξ: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', θ: 'o', ρ: 'p', τ: 't', χ: 'x' },
  ...{ а: 'a', д: 'a', е: 'e', и: 'n', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x', я: 'r', μ: 'u', υ: 'u', ω: 'w' },
};
/** Words that titles shorten, and what is typed for them. */
const otherForm: Readonly<Record<string, string>> = {
  ...{ part: 'pt', pt: 'part', vol: 'volume', nr: 'no', ft: 'feat', feat: 'ft', saint: 'st', st: 'saint' },
};
/** How Germans and Scandinavians write their letters where a keyboard lacks them. */
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa', đ: 'dj' };
const inTwoLetters = /[äöüøåđ]/u;

/** `Müller` as `Mueller`. */
const spelledOut = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(new RegExp(inTwoLetters, 'gu'), (letter) => twoLetters[letter] ?? '');

/** `II` and `2` are the same to people; a lone `I`, `V` or `X` is a word or an initial. */
const romans: Readonly<Record<string, string>> = { ii: '2', iii: '3', iv: '4', vi: '6', vii: '7', viii: '8', ix: '9' };
/** In Hindi a nasal before a consonant is written as a letter or as a dot, in one and the same word. */
const nasal = /([ङञणनम])\u094d(?!\1)(?=[क-म])/gu;
const plainNasals = (text: string): string => text.normalize('NFC').replaceAll(nasal, '\u0902');

const otherAlphabets = /[\p{sc=Greek}\p{sc=Cyrillic}]/gu;
const numbered = /(?<!\S)(\p{L}{1,20})(?= (\d{1,4})(?!\S))/gu;
const initials = /(?<!\S)\p{L}(?: \p{L})+(?!\S)/gu;

/**
 * What a text is found by: its words, and then what else people type for them. `AC/DC` is `acdc` too, `R.E.M.` `rem`,
 * `P!nk` `pink`, `Simon & Garfunkel` has an `and`, and `Björk` is `bjoerk`.
 */
export function searchedText(named: string): string {
  const text = plainNasals(named);
  const words = folded(text);
  const others = text.split(/\s+/u).flatMap((chunk) => {
    const small = plain(chunk);
    const looks = /\p{sc=Latin}/u.test(small)
      ? small.replaceAll(otherAlphabets, (letter) => letterOfLook[letter] ?? letter)
      : small;
    const signed = looks.replaceAll(/[!$@€¥£](?=\p{L})/gu, (sign) => letterOfSign[sign] ?? '');
    return [
      ...[small, signed].map((each) => each.replaceAll(notOfWords, '')),
      folded(spelledOut(chunk)),
      // 'Ødegård' as 'Odegaard'.
      /[åÅ]/u.test(chunk) ? folded(chunk.normalize('NFC').replaceAll(/[åÅ]/gu, 'aa')) : '',
      romans[small] ?? '',
      otherForm[folded(chunk)] ?? '',
      /^#\d/u.test(chunk) ? 'no' : '',
      chunk === '@' ? 'at' : '',
      // 'R&B' as 'R and B' and 'rnb'.
      ...['and', 'n'].map((and) =>
        /[\p{L}\p{N}]&[\p{L}\p{N}]/u.test(chunk) ? folded(chunk.replaceAll('&', and)) : '',
      ),
      /^(?:[&+]|['’]n['’]?|n['’])$/iu.test(chunk) ? 'and' : '',
      // A name of signs alone, such as `!!!`.
      small !== '' && folded(chunk) === '' ? small : '',
    ];
  });
  const known = new Set(words.split(' '));
  // Initials that stand apart, as in 'D & B'.
  others.push(...(words.match(initials) ?? []).map((each) => each.replaceAll(' ', '')));
  // 'No. 5' as 'no5'.
  others.push(...[...words.matchAll(numbered)].map(([, word = '', number = '']) => word + number));
  return [words, ...new Set(others.filter((word) => word !== '' && !known.has(word)))].join(' ');
}

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

/** More different words than a user types. Each is compared with every text, so a request must not choose the number. */
const mostWords = 12;
/** Other spellings of one word, likewise. */
const mostSpellings = 3;

/** A typed word, and what it may be spelled as instead. */
export type SearchedWord = readonly [string, ...string[]];

/** The words of a query: each once, and not more than are looked for. */
export function wordsOf(query: string): SearchedWord[] {
  const spelled = query
    .split(/\s+/u)
    .filter((chunk) => inTwoLetters.test(chunk.normalize('NFC').toLowerCase()))
    .map((chunk) => [folded(chunk), folded(spelledOut(chunk))] as const);
  return plainWordsOf(query).map((word): SearchedWord => {
    const others = spelled.filter(([each]) => each === word).map(([, other]) => other);
    return [word, ...[...new Set(others)].slice(0, mostSpellings)];
  });
}

function plainWordsOf(typed: string): string[] {
  const query = plainNasals(typed);
  const words = query.split(/\s+/u).flatMap((chunk) => {
    const parts = folded(chunk).split(' ');
    // Initials, with stops or without.
    return parts.every((part) => part.length === 1) ? [parts.join('')] : parts;
  });
  const found = words.some(Boolean) ? words : query.split(/\s+/u).map(plain);
  return [...new Set(found.filter(Boolean))].slice(0, mostWords);
}

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
