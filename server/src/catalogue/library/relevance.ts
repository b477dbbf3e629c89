/**
 * Finds tracks by what is typed: each word in any order and plain letters. Tracks whose title and artists have every word
 * come before those that only what stands around them completes. What is searched of an album is kept once.
 */
import { basename, extname } from 'node:path';
import { folded, type SearchedWord, searchedText, wordsOf } from '@tunemate/domain';
import { turns } from '../../system/in-turns.ts';
import type { LibraryItem } from './library-item.ts';
import { type Fit, growingWords, type GrowingWords, type SearchedWords } from './searched-words.ts';

/** Tracks that follow each other and have artists, album, genres and folder in common. */
interface Run {
  /** Their places in the list; `to` is the place behind the last. */
  from: number;
  to: number;
  /** By their numbers. Runs of the same artists have the same object. */
  artist: readonly number[];
  around: readonly number[];
}

export interface SearchedList {
  items: readonly LibraryItem[];
  runs: readonly Run[];
  /**
   * The words of each track in turn: twice the number of a word of its title; of what else its file is called, and one more.
   */
  own: Uint32Array;
  /** Of each item, where its words end. */
  ends: Uint32Array;
  words: SearchedWords;
  growing: GrowingWords;
}

function listOfNothing(): SearchedList {
  const growing = growingWords();
  const [own, ends] = [new Uint32Array(0), new Uint32Array(0)];
  return { items: [], runs: [], own, ends, words: growing.soFar(), growing };
}
export const nothingSearched = listOfNothing();

/** More tracks of one folder without tags would be looked through in one piece. */
const mostOfRun = 100;

/** What is searched of a list. Of an earlier one, what has not changed is taken. */
export async function searchedList(items: readonly LibraryItem[], earlier: SearchedList): Promise<SearchedList> {
  const before = isOfUse(earlier) ? earlier : listOfNothing();
  const { growing } = before;
  const known = new Map(before.runs.map((run) => [before.items[run.from], run]));
  const made = new Map<string, readonly number[]>();
  const once = (text: string): readonly number[] => {
    const numbers = made.get(text) ?? growing.numbersOf(searchedText(text));
    made.set(text, numbers);
    return numbers;
  };
  const runs: Run[] = [];
  const own = growingNumbers();
  const ends = new Uint32Array(items.length);
  const turn = turns();
  for (let from = 0; from < items.length; from = runs.at(-1)?.to ?? items.length) {
    const first = items[from] as LibraryItem;
    const common = commonOf(first);
    let to = from + 1;
    while (to < items.length && to - from < mostOfRun && commonOf(items[to] as LibraryItem) === common) to += 1;
    const old = known.get(first);
    if (old !== undefined && isSame(old, before.items, items, { from, to })) {
      const begin = beginOf(before.ends, old.from);
      for (let at = from; at < to; at += 1) ends[at] = (before.ends[old.from + at - from] ?? 0) - begin + own.length;
      own.push(before.own.subarray(begin, before.ends[old.to - 1]));
      runs.push({ ...old, from, to });
    } else {
      for (let at = from; at < to; at += 1) {
        if (turn.isDue()) await turn.give();
        own.push(ownWords(items[at] as LibraryItem, growing));
        ends[at] = own.length;
      }
      const { artist, artists, album, genres, folder } = first;
      const names = [artist ?? '', ...artists.filter((name) => name !== artist)];
      const around = [album?.name ?? '', album?.artist ?? '', ...genres, folder.replaceAll('/', ' ')];
      runs.push({ from, to, artist: once(names.join(' ')), around: once(around.join(' ')) });
    }
    if (turn.isDue()) await turn.give();
  }
  return { items, runs, own: own.all(), ends, words: growing.soFar(), growing };
}

/** Not where most of its words may be of tracks that are gone: words are only added. */
const isOfUse = ({ items, words, own }: SearchedList): boolean =>
  items.length > 0 && words.size <= own.length / 2 + 10_000;

const beginOf = (ends: Uint32Array, place: number): number => (place === 0 ? 0 : (ends[place - 1] ?? 0));

function growingNumbers() {
  let numbers = new Uint32Array(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(some: ArrayLike<number>): void {
      if (length + some.length > numbers.length) {
        const larger = new Uint32Array(Math.max(numbers.length * 2, length + some.length));
        larger.set(numbers);
        numbers = larger;
      }
      numbers.set(some, length);
      length += some.length;
    },
    all: (): Uint32Array => numbers.slice(0, length),
  };
}

const commonOf = ({ artist, artists, album, genres, folder }: LibraryItem): string =>
  JSON.stringify([artist, artists, album?.name, album?.artist, genres, folder]);

function isSame(
  old: Run,
  before: readonly LibraryItem[],
  items: readonly LibraryItem[],
  { from, to }: Pick<Run, 'from' | 'to'>,
): boolean {
  if (old.to - old.from !== to - from) return false;
  for (let at = from; at < to; at += 1) if (items[at] !== before[old.from + at - from]) return false;
  return true;
}

function ownWords({ title, path }: LibraryItem, { numbersOf }: GrowingWords): number[] {
  const titleText = searchedText(title);
  const fileText = path === '' ? '' : searchedText(basename(path, extname(path)));
  // Most files are called by a number and the title: what is found in the title is not looked for again.
  const hasTitle = titleText !== '' && ` ${fileText}`.endsWith(` ${titleText}`);
  const more = hasTitle ? fileText.slice(0, -titleText.length) : fileText;
  return [...numbersOf(titleText).map((word) => word * 2), ...numbersOf(more).map((word) => word * 2 + 1)];
}

/** Shorter words are not searched inside a name written in one word: they match too many items. */
const leastInOne = 5;

/** Whether a name of several words, written in one, begins with the word: `Pink Floyd` as `pinkfloyd`. */
function beginsInOne(name: string, word: string): boolean {
  const plainName = folded(name);
  return plainName.includes(' ') && plainName.replaceAll(' ', '').startsWith(word);
}

/** More than any match elsewhere. */
const namedCounts = 100;

/** What is known of a word of the list: its fit, and further bits. */
const fitBits = 3;
/** A name that begins with it may have the word of the query in one. */
const mayBegin = 4;
/** It is the word as it was typed, or begins with it. */
const [isTyped, beginsTyped] = [8, 16];

/** A word of the query. */
interface Sought {
  /** As names in one word may begin with it. */
  inOne: readonly string[];
  /** Of each word of the list. */
  marks: Uint8Array;
  /** How well the artists of a run have it, and all that its tracks have in common. */
  artists: ReturnType<typeof bestOf>;
  all: Fit;
}

function soughtIn({ eachWith, numberOf, size }: SearchedWords, spellings: SearchedWord): Sought {
  const marks = new Uint8Array(size);
  const mark = (number: number, bits: number): void => void (marks[number] = (marks[number] ?? 0) | bits);
  spellings.forEach((word, at) => {
    eachWith(word, (number, fit) => {
      if (fit > fitIn(marks, number)) marks[number] = ((marks[number] ?? 0) & ~fitBits) | fit;
      if (at === 0 && fit >= 2) mark(number, fit === 3 ? isTyped | beginsTyped : beginsTyped);
    });
  });
  const inOne = spellings.filter((word) => word.length >= leastInOne);
  let hasBegin = false;
  for (const word of inOne) {
    for (let length = 1; length < word.length; length += 1) {
      const number = numberOf(word.slice(0, length));
      if (number !== undefined) mark(number, mayBegin);
      hasBegin ||= number !== undefined;
    }
  }
  return { inOne: hasBegin ? inOne : [], marks, artists: { fit: 0, mayBegin: false }, all: 0 };
}

const larger = (a: Fit, b: Fit): Fit => (a > b ? a : b);
const fitIn = (marks: Uint8Array, number: number): Fit => ((marks[number] ?? 0) & fitBits) as Fit;

/** How well the best of these words fits, and whether one may begin a name in one word. */
function bestOf(numbers: readonly number[], { marks }: Sought): { fit: Fit; mayBegin: boolean } {
  let [fit, all]: [Fit, number] = [0, 0];
  for (const number of numbers) {
    fit = larger(fit, fitIn(marks, number));
    all |= marks[number] ?? 0;
  }
  return { fit, mayBegin: (all & mayBegin) !== 0 };
}

/** Whether what has no word of a query has it as a name in one word. Numbers say it of nearly all, so that few texts are read. */
function lookInOne({ items, own, words }: Pick<SearchedList, 'items' | 'own' | 'words'>) {
  function isWritten(numbers: readonly number[], from: number, sought: string): boolean {
    let rest = sought;
    for (let at = from; at < numbers.length; at += 1) {
      const word = words.wordAt(numbers[at] ?? 0);
      if (word.startsWith(rest)) return true;
      if (!rest.startsWith(word)) return false;
      rest = rest.slice(word.length);
    }
    return false;
  }
  /** Whether the words from one of these on may be such a name. */
  function mayBe(numbers: readonly number[], { inOne, marks }: Sought): boolean {
    for (let at = 0; at < numbers.length; at += 1) {
      if (((marks[numbers[at] ?? 0] ?? 0) & mayBegin) === 0) continue;
      if (inOne.some((word) => isWritten(numbers, at, word))) return true;
    }
    return false;
  }
  const is = (names: readonly string[], { inOne }: Sought): boolean =>
    names.some((name) => inOne.some((word) => beginsInOne(name, word)));

  return {
    ofRun({ from, artist, around }: Run, each: Sought): boolean {
      const { artists, album } = items[from] as LibraryItem;
      if (mayBe(artist, each) && is(artists, each)) return true;
      return album !== null && mayBe(around, each) && is([album.name], each);
    },
    ofTitle(place: number, from: number, to: number, each: Sought): boolean {
      if (each.inOne.length === 0 || ((each.marks[(own[from] ?? 0) >>> 1] ?? 0) & mayBegin) === 0) return false;
      const numbers = Array.from(own.subarray(from, to)).flatMap((word) => ((word & 1) === 0 ? [word >>> 1] : []));
      return mayBe(numbers, each) && is([(items[place] as LibraryItem).title], each);
    },
  };
}

/**
 * Calls `add` with the place in the list, and the score, of each track of a run that has every word. A short word is in
 * most tracks of a library: of a track, numbers alone are looked at.
 */
function scoringOf(list: SearchedList, query: readonly SearchedWord[]) {
  const { own, ends, words } = list;
  const sought = query.map((spellings) => soughtIn(words, spellings));
  const inOne = lookInOne(list);
  let before: readonly number[] | null = null;

  /** Whether a track of the run may have every word. */
  function lookAt(run: Run): boolean {
    const { artist, around } = run;
    // Most runs are of the artists of the run before.
    if (artist !== before) for (const each of sought) each.artists = bestOf(artist, each);
    before = artist;
    for (const each of sought) {
      const ofRun = bestOf(around, each);
      each.all = larger(each.artists.fit, ofRun.fit);
      if (each.all > 0) continue;
      if ((each.artists.mayBegin || ofRun.mayBegin) && inOne.ofRun(run, each)) each.all = 1;
      else if (!isMarkedIn(run, each)) return false;
    }
    return true;
  }
  function isMarkedIn({ from, to }: Run, { marks }: Sought): boolean {
    const end = ends[to - 1] ?? 0;
    for (let at = beginOf(ends, from); at < end; at += 1) if (marks[(own[at] ?? 0) >>> 1] !== 0) return true;
    return false;
  }

  /** The words of a title, and then those of its artists. */
  function begins(from: number, to: number, artist: readonly number[]): boolean {
    let at = from;
    while (at < to && ((own[at] ?? 0) & 1) === 0) at += 1;
    const inTitle = at - from;
    return sought.every(({ marks }, index) => {
      const number = index < inTitle ? (own[from + index] ?? 0) >>> 1 : (artist[index - inTitle] ?? words.size);
      return ((marks[number] ?? 0) & (index === sought.length - 1 ? beginsTyped : isTyped)) !== 0;
    });
  }

  function scoreOf(place: number, from: number, to: number, artist: readonly number[]): number {
    let [all, named] = [0, 0];
    let isNamed = true;
    for (const each of sought) {
      let [bestNamed, bestOfAll] = [each.artists.fit, each.all];
      for (let at = from; at < to && bestNamed < 3; at += 1) {
        const word = own[at] ?? 0;
        const fit = fitIn(each.marks, word >>> 1);
        bestOfAll = larger(bestOfAll, fit);
        if ((word & 1) === 0) bestNamed = larger(bestNamed, fit);
      }
      if (bestOfAll === 0 && inOne.ofTitle(place, from, to, each)) bestOfAll = 1;
      if (bestOfAll === 0) return 0;
      all += bestOfAll;
      named += bestNamed;
      isNamed &&= bestNamed > 0;
    }
    if (!isNamed) return all;
    return all + (named + (begins(from, to, artist) ? 2 : 0)) * namedCounts;
  }

  return (run: Run, add: (place: number, score: number) => void): void => {
    if (!lookAt(run)) return;
    let from = beginOf(ends, run.from);
    for (let place = run.from; place < run.to; place += 1) {
      const to = ends[place] ?? from;
      const score = scoreOf(place, from, to, run.artist);
      if (score > 0) add(place, score);
      from = to;
    }
  };
}

/** Tracks between two looks at the time. */
const tracksAtOnce = 200;

/** The items that have every word, best first; no more than `most`. A blank query finds nothing. */
export async function foundIn(list: SearchedList, query: string, most: number): Promise<LibraryItem[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const score = scoringOf(list, words);
  const turn = turns();
  /** Places in the list. */
  const byScore = new Map<number, number[]>();
  let looked = 0;
  for (const run of list.runs) {
    // Many runs are of one track.
    if (run.to - looked > tracksAtOnce) {
      looked = run.to;
      if (turn.isDue()) await turn.give();
    }
    score(run, (place, scored) => {
      const alike = byScore.get(scored);
      if (alike) alike.push(place);
      else byScore.set(scored, [place]);
    });
  }
  const found: LibraryItem[] = [];
  // There are few scores: sorting all that was found would take longer.
  for (const [, places] of [...byScore].toSorted(([a], [b]) => b - a)) {
    for (const place of places) {
      if (found.length === most) return found;
      found.push(list.items[place] as LibraryItem);
    }
  }
  return found;
}
