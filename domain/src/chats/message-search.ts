/**
 * What a search finds in messages: the terms that a text is found by, and those that a query asks for. Words are found by
 * their beginning, without case and accents. Scripts that put no spaces between words are found by characters: a text has
 * each two neighbours as a term, so a query of several characters asks for all its neighbours.
 */
import { folded } from '../text/plain-letters.ts';

/** A term that a message must have, or one that begins like it. */
export interface SoughtTerm {
  readonly term: string;
  readonly isBeginning: boolean;
}

/** Characters of scripts without spaces between words. */
const dense = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const denseRun = new RegExp(`[${dense}]+|[^${dense}\\s]+`, 'gu');
const isDense = new RegExp(`^[${dense}]`, 'u');
/** In code points; words are cut to it. */
const longestTerm = 32;
const mostSought = 16;

/** The pieces of a text: words, and runs of characters of scripts without spaces. */
const piecesOf = (text: string): string[] => folded(text).match(denseRun) ?? [];
const cut = (word: string): string => Array.from(word).slice(0, longestTerm).join('');

/** Each once, of letters and digits only. */
export function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const piece of piecesOf(text)) {
    if (!isDense.test(piece)) terms.add(cut(piece));
    else Array.from(piece).forEach((letter, index, all) => terms.add(letter + (all[index + 1] ?? '')));
  }
  return [...terms];
}

/** What a message must have to be found; nothing when the query has no letter and no digit. */
export function soughtIn(query: string): SoughtTerm[] {
  const sought = new Map<string, SoughtTerm>();
  for (const piece of piecesOf(query)) {
    const letters = Array.from(piece);
    const isOne = letters.length === 1;
    if (!isDense.test(piece)) sought.set(piece, { term: cut(piece), isBeginning: !isOne });
    else if (isOne) sought.set(piece, { term: piece, isBeginning: true });
    else {
      for (const [index, letter] of letters.slice(0, -1).entries()) {
        const term = letter + (letters[index + 1] ?? '');
        sought.set(term, { term, isBeginning: false });
      }
    }
  }
  return [...sought.values()].slice(0, mostSought);
}

/** A part of a text, and whether the query asks for it. */
export interface MarkedPart {
  readonly text: string;
  readonly isFound: boolean;
}

const wordOrGap = /[\p{L}\p{N}\p{M}'’]+|[^\p{L}\p{N}\p{M}'’]+/gu;

/** Each piece of a query once, as many as are searched for: more would only take longer. */
const wantedOf = (query: string): string[] => [...new Set(piecesOf(query))].slice(0, mostSought);

/** The text in parts, of which those that a query finds are marked: whole words, or characters without spaces. */
export function markedParts(text: string, query: string): MarkedPart[] {
  const wanted = wantedOf(query);
  const parts: MarkedPart[] = [];
  const add = (part: string, isFound: boolean): void => {
    const last = parts.at(-1);
    if (last?.isFound === isFound) parts[parts.length - 1] = { text: last.text + part, isFound };
    else parts.push({ text: part, isFound });
  };
  for (const [part] of text.matchAll(wordOrGap)) {
    const word = folded(part);
    if (word === '') add(part, false);
    else if (isDense.test(word)) markCharacters(part, wanted, add);
    else
      add(
        part,
        word.split(' ').some((each) => isWanted(each, wanted)),
      );
  }
  return parts;
}

const isWanted = (word: string, wanted: readonly string[]): boolean =>
  wanted.some((each) => word === each || (word.startsWith(each) && Array.from(each).length > 1));

/** Of a word without spaces, the characters that belong to something wanted. */
function markCharacters(part: string, wanted: readonly string[], add: (part: string, isFound: boolean) => void): void {
  const letters = part.match(/\P{M}\p{M}*/gu) ?? [part];
  const plain = letters.map((letter) => folded(letter));
  /** By where a letter begins in the folded word; it ends where the next one begins. */
  const letterAt = new Map<number, number>();
  let length = 0;
  for (const [index, each] of [...plain, ''].entries()) {
    // Of letters that fold to nothing the first.
    if (!letterAt.has(length)) letterAt.set(length, index);
    length += each.length;
  }
  const word = plain.join('');
  const marked = new Set<number>();
  for (const each of wanted) {
    // What is found again within itself is marked once.
    let done = 0;
    for (let at = word.indexOf(each); at >= 0; at = word.indexOf(each, at + 1)) {
      const [from, to] = [letterAt.get(at), letterAt.get(at + each.length)];
      if (from === undefined || to === undefined) continue;
      for (let letter = Math.max(from, done); letter < to; letter += 1) marked.add(letter);
      done = to;
    }
  }
  letters.forEach((letter, index) => add(letter, marked.has(index)));
}

/** In code points. */
const [before, longest] = [40, 160];

/** The part of a text around the first thing that a query finds. */
export function excerptOf(text: string, query: string): string {
  const first = markedParts(text, query);
  const at = first.findIndex(({ isFound }) => isFound);
  const ahead = Array.from(
    first
      .slice(0, Math.max(0, at))
      .map((part) => part.text)
      .join(''),
  );
  const from = ahead.length > before ? ahead.length - before : 0;
  const points = Array.from(text);
  const end = from + longest < points.length ? '…' : '';
  return `${from > 0 ? '…' : ''}${points.slice(from, from + longest).join('')}${end}`;
}
