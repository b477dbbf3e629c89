/**
 * What a search finds in messages: the terms that a text is found by, and those that a query asks for. Words are found by
 * their beginning and as they are spelled otherwise, without case and accents; long ones by what they are joined of too.
 * Scripts that put no spaces between words, and Korean, are found by characters: a text has each two neighbours as a term,
 * so a query of several characters asks for all its neighbours. An emoji is a word.
 */
import { folded } from '../text/plain-letters.ts';
import { chunksOf, searchedWords } from '../text/search-words.ts';

/** A term that a message must have, or one that begins like it. */
export interface SoughtTerm {
  readonly term: string;
  readonly isBeginning: boolean;
}
/** What a message must have of one word: all terms of one of these. */
export type SoughtWord = readonly (readonly SoughtTerm[])[];

/** Characters of scripts that are found within words. */
const dense =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const denseRun = new RegExp(`[${dense}]+|[^${dense}\\s]+`, 'gu');
const isDense = new RegExp(`^[${dense}]`, 'u');
/** A syllable of Korean in its parts, or any other character. */
const character = /[\u1100-\u115f][\u1160-\u11a7]*[\u11a8-\u11ff]*|./gsu;
const isKorean = /^[\u1100-\u11ff]/u;
/** In code points; words are cut to it. */
const longestTerm = 32;
const mostSought = 16;
/** Spellings of a message beside its words. */
const mostOthers = 64;

/** Before a part of a joined word; no text begins a word with it. */
const joined = 'ˑ';
const leastJoined = 10;
const leastPart = 4;
const isJoining = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]+$/u;

/** The pieces of a folded text: words, and runs of characters that are found within words. */
const piecesOf = (text: string): string[] => text.match(denseRun) ?? [];
const cut = (word: string): string => Array.from(word).slice(0, longestTerm).join('');
const charactersOf = (piece: string): string[] => piece.match(character) ?? [];

/** Each once, of letters, digits and emoji only. */
export function termsOf(text: string): string[] {
  const { words, others } = searchedWords(text);
  const [terms, more] = [new Set<string>(), new Set<string>()];
  const add = (to: Set<string>) => (piece: string) => {
    if (!isDense.test(piece)) to.add(cut(piece));
    else charactersOf(piece).forEach((letter, index, all) => to.add(letter + (all[index + 1] ?? '')));
  };
  piecesOf(words).forEach(add(terms));
  for (const other of others) {
    if (more.size >= mostOthers) break;
    piecesOf(folded(other)).forEach(add(more));
  }
  for (const term of [...terms, ...more]) {
    if (more.size >= mostOthers) break;
    for (const part of partsOf(term)) more.add(part);
  }
  return [...new Set([...terms, ...[...more].slice(0, mostOthers)])];
}

/** `schlüssel` of `Haustürschlüssel`: whatever a long word ends with. */
function partsOf(word: string): string[] {
  if (word.length < leastJoined || !isJoining.test(word)) return [];
  return Array.from({ length: word.length - leastPart - 2 }, (_, at) => joined + word.slice(at + 3));
}

/** What a message must have to be found, word by word; nothing when the query has no letter, digit or emoji. */
export function soughtIn(query: string): SoughtWord[] {
  const sought: SoughtWord[] = [];
  let left = mostSought;
  const add = (...ways: (readonly SoughtTerm[])[]): void => {
    const some = ways.map((terms) => terms.slice(0, left)).filter(({ length }) => length > 0);
    if (some[0] === undefined) return;
    left -= some[0].length;
    sought.push(some);
  };
  for (const { words, inOne } of chunksOf(query, mostSought)) {
    if (inOne === null) for (const [word, ...others] of words) add(...[word, ...others].map(termsFor), partOf(word));
    else
      add(
        words.flatMap(([word]) => termsFor(word)),
        termsFor(inOne),
      );
  }
  return sought;
}

function termsFor(word: string): SoughtTerm[] {
  return piecesOf(folded(word)).flatMap((piece) => {
    const letters = charactersOf(piece);
    if (!isDense.test(piece)) return [{ term: cut(piece), isBeginning: letters.length > 1 }];
    if (letters.length === 1) return [{ term: piece, isBeginning: true }];
    return letters.slice(0, -1).map((letter, index) => {
      const next = letters[index + 1] ?? '';
      // The last syllable may be one that is still typed.
      return { term: letter + next, isBeginning: isKorean.test(next) && index === letters.length - 2 };
    });
  });
}

const partOf = (word: string): SoughtTerm[] =>
  word.length >= leastPart && isJoining.test(word) ? [{ term: joined + cut(word), isBeginning: true }] : [];

/** A part of a text, and whether the query asks for it. */
export interface MarkedPart {
  readonly text: string;
  readonly isFound: boolean;
}

const emoji =
  '\\p{RI}{2}|(?![©®])\\p{Extended_Pictographic}(?:[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]|\\u200D\\p{Extended_Pictographic})*';
const partsOfText = new RegExp(
  `[${dense}]+|${emoji}|(?:(?![${dense}])[\\p{L}\\p{N}\\p{M}'’])+|(?:(?!${emoji})[^\\p{L}\\p{N}\\p{M}'’])+|.`,
  'gsu',
);

/** The text in parts, of which those that a query finds are marked: whole words, or characters within them. */
export function markedParts(text: string, query: string): MarkedPart[] {
  const parts: MarkedPart[] = [];
  for (const { text: part, isFound } of piecesMarked(text, query)) {
    const last = parts.at(-1);
    if (last?.isFound === isFound) parts[parts.length - 1] = { text: last.text + part, isFound };
    else if (part !== '') parts.push({ text: part, isFound });
  }
  return parts;
}

/** The same in smaller parts, each looked at once it is read: what is found first needs no look at the rest. */
function* piecesMarked(text: string, query: string): Generator<MarkedPart> {
  const sought = soughtIn(query).flat(2);
  const [exact, beginnings] = [new Set<string>(), [] as string[]];
  for (const { term, isBeginning } of sought) {
    if (isBeginning) beginnings.push(term);
    else exact.add(term);
  }
  const isWanted = (part: string): boolean =>
    termsOf(part).some((term) => exact.has(term) || beginnings.some((each) => term.startsWith(each)));
  /** Each once, as many as are searched for: more would only take longer. */
  const asked = [query, ...chunksOf(query, mostSought).flatMap(({ words }) => words.flat())];
  const runs = [...new Set(asked.flatMap((each) => piecesOf(folded(each))))]
    .filter((piece) => isDense.test(piece))
    .slice(0, mostSought);
  for (const [chunk] of text.matchAll(/\S+|\s+/gu)) {
    const pieces = chunk.match(partsOfText) ?? [];
    const found = pieces.map((piece) => !isDense.test(piece) && /[^\s\p{P}]/u.test(piece) && isWanted(piece));
    // `AC/DC` is found by `acdc`.
    const isWhole = pieces.length > 1 && !found.includes(true) && !pieces.some((piece) => isDense.test(piece));
    if (isWhole && isWanted(chunk)) yield { text: chunk, isFound: true };
    else {
      for (const [at, piece] of pieces.entries()) {
        if (isDense.test(piece)) yield* markedCharacters(piece, runs);
        else yield { text: piece, isFound: found[at] === true };
      }
    }
  }
}

/** Of a word without spaces, the characters that belong to something wanted. */
function markedCharacters(part: string, wanted: readonly string[]): MarkedPart[] {
  const letters = part.match(/\P{M}\p{M}*/gu) ?? [part];
  const plain = letters.map((letter) => folded(letter));
  /** By where a letter begins in the folded word; it ends where the next one begins. */
  const letterAt = new Map<number, number>();
  let length = 0;
  for (const [index, each] of [...plain, ''].entries()) {
    // Of letters that fold to nothing the first; within a letter of several parts, its end.
    if (!letterAt.has(length)) letterAt.set(length, index);
    for (let within = 1; within < each.length; within += 1) letterAt.set(length + within, index + 1);
    length += each.length;
  }
  const word = plain.join('');
  const starts = new Set<number>();
  plain.reduce((at, each) => (starts.add(at), at + each.length), 0);
  const marked = new Set<number>();
  for (const each of wanted) {
    // What is found again within itself is marked once.
    let done = 0;
    for (let at = word.indexOf(each); at >= 0; at = word.indexOf(each, at + 1)) {
      const [from, to] = [letterAt.get(at), letterAt.get(at + each.length)];
      if (from === undefined || to === undefined || !starts.has(at)) continue;
      for (let letter = Math.max(from, done); letter < to; letter += 1) marked.add(letter);
      done = to;
    }
  }
  return letters.map((letter, index) => ({ text: letter, isFound: marked.has(index) }));
}

/** In code points. */
const [before, longest] = [40, 160];

/** The part of a text around the first thing that a query finds. */
export function excerptOf(text: string, query: string): string {
  let ahead = 0;
  let isThere = false;
  for (const part of piecesMarked(text, query)) {
    isThere = part.isFound;
    if (isThere) break;
    ahead += Array.from(part.text).length;
  }
  const from = isThere && ahead > before ? ahead - before : 0;
  const points = Array.from(text);
  const end = from + longest < points.length ? '…' : '';
  return `${from > 0 ? '…' : ''}${points.slice(from, from + longest).join('')}${end}`;
}
