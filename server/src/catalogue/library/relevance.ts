/**
 * Finds tracks by what is typed: each word in any order and plain letters. Tracks whose title and artists have every word
 * come before those that only what stands around them completes. What is searched of an album is kept once.
 */
import { basename, extname } from 'node:path';
import { folded, type SearchedWord, searchedText, wordsOf } from '@tunemate/domain';
import { turns } from '../../system/in-turns.ts';
import type { LibraryItem } from './library-item.ts';

/** Before each name that is written in one word. No searched text has such blanks of its own. */
const inOne = '\n';
const [betweenTracks, beforeFile] = ['\r', '\t'];

/** What is searched of a part, with its names of several words in one behind it: `Pink Floyd` as `pinkfloyd`, too. */
export function searchedPart(texts: readonly string[], names: readonly string[] = texts): string {
  const glued = names.map((name) => folded(name)).filter((name) => name.includes(' '));
  return [searchedText(texts.join(' ')), ...glued.map((name) => name.replaceAll(' ', ''))].join(inOne);
}

/** Tracks that follow each other and have artists, album, genres and folder in common. */
interface Run {
  /** Their places in the list; `to` is the place behind the last. */
  from: number;
  to: number;
  artist: string;
  around: string;
  /** The title of each and, where it says more, the name of its file. */
  own: string;
}

export interface SearchedList {
  items: readonly LibraryItem[];
  runs: readonly Run[];
  /** Of each item, where its text ends in that of its run. */
  ends: Uint32Array;
}

export const nothingSearched: SearchedList = { items: [], runs: [], ends: new Uint32Array(0) };

/** More tracks of one folder without tags would be looked through in one piece. */
const mostOfRun = 100;

/** What is searched of a list. Of `before`, an earlier list, what has not changed is taken. */
export async function searchedList(items: readonly LibraryItem[], before: SearchedList): Promise<SearchedList> {
  const known = new Map(before.runs.map((run) => [before.items[run.from], run]));
  const folding = new Map<string, string>();
  const once = (texts: readonly string[], names: readonly string[]): string => {
    const key = JSON.stringify([texts, names]);
    const made = folding.get(key) ?? searchedPart(texts, names);
    folding.set(key, made);
    return made;
  };
  const runs: Run[] = [];
  const ends = new Uint32Array(items.length);
  const turn = turns();
  for (let from = 0; from < items.length; from = runs.at(-1)?.to ?? items.length) {
    const first = items[from] as LibraryItem;
    const common = commonOf(first);
    let to = from + 1;
    while (to < items.length && to - from < mostOfRun && commonOf(items[to] as LibraryItem) === common) to += 1;
    const old = known.get(first);
    if (old !== undefined && isSame(old, before.items, items, { from, to })) {
      ends.set(before.ends.subarray(old.from, old.to), from);
      runs.push({ ...old, from, to });
    } else {
      const { artist, artists, album, genres, folder } = first;
      const names = [artist ?? '', ...artists.filter((name) => name !== artist)];
      const around = [album?.name ?? '', album?.artist ?? '', ...genres, folder.replaceAll('/', ' ')];
      const own: string[] = [];
      for (let at = from; at < to; at += 1) {
        if (turn.isDue()) await turn.give();
        const text = ownText(items[at] as LibraryItem);
        ends[at] = text.length + (at === from ? 0 : (ends[at - 1] ?? 0) + betweenTracks.length);
        own.push(text);
      }
      runs.push({
        ...{ from, to, own: own.join(betweenTracks) },
        artist: once(names, artists),
        around: once(around, album === null ? [] : [album.name]),
      });
    }
    if (turn.isDue()) await turn.give();
  }
  return { items, runs, ends };
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

function ownText({ title, path }: LibraryItem): string {
  const titleText = searchedPart([title]);
  const words = titleText.slice(0, placeIn(titleText, inOne, 0));
  const fileText = path === '' ? '' : searchedText(basename(path, extname(path)));
  // Most files are called by a number and the title: what is found in the title is not looked for again.
  const hasTitle = words !== '' && ` ${fileText}`.endsWith(` ${words}`);
  const more = hasTitle ? fileText.slice(0, -words.length).trimEnd() : fileText;
  return more === '' ? titleText : titleText + beforeFile + more;
}

/** How well a part has a word: 3 for a whole word, 2 for the beginning of one, 1 for a part of one, 0 without it. */
type Fit = 0 | 1 | 2 | 3;

/** Shorter words are not searched inside a name written in one word: they match too many items. */
const leastInOne = 5;

/** The best place of the word between two places of a text; `at` is the first place of it behind `from`. */
function fitIn(text: string, word: string, from: number, end: number, at = text.indexOf(word, from)): Fit {
  let best: Fit = 0;
  for (let here = at; here >= 0 && here < end && best < 3; here = text.indexOf(word, here + 1)) {
    best = best === 0 ? 1 : best;
    if (here > from && text.charCodeAt(here - 1) !== blank) continue;
    const behind = here + word.length;
    best = behind === end || text.charCodeAt(behind) === blank ? 3 : 2;
  }
  return best;
}
const blank = ' '.charCodeAt(0);

/** Without its names in one word. */
function fitOf(text: string, word: string): Fit {
  const at = text.indexOf(word);
  return at < 0 ? 0 : fitIn(text, word, 0, placeIn(text, inOne, 0), at);
}

/** Behind the end where it is nowhere. */
function placeIn(text: string, word: string, from: number): number {
  const at = text.indexOf(word, from);
  return at < 0 ? text.length : at;
}

/** More than any match elsewhere. */
const namedCounts = 100;

/** A word as it may be spelled, and how well what a run has in common has it: its artists, and all of it. */
interface Sought {
  readonly word: string;
  /** As a name in one word begins with it; null for a word that is too short. */
  readonly begin: string | null;
  named: Fit;
  all: Fit;
  /** The first place of the word in the texts of the run's tracks that has not been passed. */
  next: number;
}

const soughtOf = (word: string): Sought => ({
  ...{ word, named: 0, all: 0, next: 0 },
  begin: word.length < leastInOne ? null : inOne + word,
});

const beginsInOne = (text: string, { begin }: Sought): boolean => begin !== null && text.includes(begin);

/**
 * Calls `add` with the place in the list, and the score, of each track of a run that has every word. A short word is in
 * most tracks of a library, so no text is cut out of another.
 */
function scoringOf(words: readonly SearchedWord[], ends: SearchedList['ends']) {
  const together = words.map(([word]) => word).join(' ');
  const sought = words.map((spellings) => spellings.map(soughtOf));
  let before: string | null = null;
  return ({ from: first, to: last, artist, around, own }: Run, add: (place: number, score: number) => void): void => {
    // Most runs are of the artists of the run before.
    if (artist !== before) for (const each of sought.flat()) each.named = fitOf(artist, each.word);
    before = artist;
    for (const spellings of sought) {
      let mayHave = false;
      for (const each of spellings) {
        each.all = each.named === 3 ? 3 : larger(each.named, fitOf(around, each.word));
        if (each.all === 0 && (beginsInOne(artist, each) || beginsInOne(around, each))) each.all = 1;
        each.next = placeIn(own, each.word, 0);
        mayHave ||= each.all > 0 || each.next < own.length;
      }
      if (!mayHave) return;
    }
    let from = 0;
    for (let place = first; place < last; place += 1) {
      const to = ends[place] ?? own.length;
      if (mayBeIn(own, sought, from, to)) {
        const score = scoreOf({ own, from, to, artist }, sought, together);
        if (score > 0) add(place, score);
      }
      from = to + betweenTracks.length;
    }
  };
}

/** Whether a track, or what its run has in common, has a part of each word. */
function mayBeIn(own: string, words: readonly (readonly Sought[])[], from: number, to: number): boolean {
  for (const spellings of words) {
    let isIn = false;
    for (const each of spellings) {
      if (each.next < from) each.next = placeIn(own, each.word, from);
      isIn ||= each.all > 0 || each.next < to;
    }
    if (!isIn) return false;
  }
  return true;
}

const larger = (a: Fit, b: Fit): Fit => (a > b ? a : b);

/** A part of the text of its run. */
interface OwnText {
  own: string;
  from: number;
  to: number;
  artist: string;
}

function scoreOf({ own, from, to, artist }: OwnText, words: readonly (readonly Sought[])[], together: string): number {
  const titleEnd = Math.min(placeIn(own, beforeFile, from), to);
  const wordsEnd = Math.min(placeIn(own, inOne, from), titleEnd);
  let [all, named] = [0, 0];
  let isNamed = true;
  for (const spellings of words) {
    let [bestOfAll, bestNamed]: [Fit, Fit] = [0, 0];
    for (const each of spellings) {
      const isIn = each.next < to;
      const here =
        isIn && each.named < 3 ? larger(each.named, fitIn(own, each.word, from, wordsEnd, each.next)) : each.named;
      bestNamed = larger(bestNamed, here);
      bestOfAll = larger(bestOfAll, larger(here, each.all));
      if (isIn && bestOfAll < 3 && titleEnd < to)
        bestOfAll = larger(bestOfAll, fitIn(own, each.word, titleEnd + 1, to));
      if (isIn && bestOfAll === 0 && each.begin !== null && placeIn(own, each.begin, wordsEnd) < titleEnd)
        bestOfAll = 1;
    }
    if (bestOfAll === 0) return 0;
    all += bestOfAll;
    named += bestNamed;
    isNamed &&= bestNamed > 0;
  }
  if (!isNamed) return all;
  const isInTitle = together.length <= wordsEnd - from;
  const begins = isInTitle
    ? own.startsWith(together, from)
    : `${own.slice(from, wordsEnd)} ${artist.slice(0, placeIn(artist, inOne, 0))}`.startsWith(together);
  return all + (named + (begins ? 2 : 0)) * namedCounts;
}

/** The items that have every word, best first; no more than `most`. A blank query finds nothing. */
export async function foundIn(
  { items, runs, ends }: SearchedList,
  query: string,
  most: number,
): Promise<LibraryItem[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const score = scoringOf(words, ends);
  const turn = turns();
  /** Places in the list. */
  const byScore = new Map<number, number[]>();
  for (const run of runs) {
    if (turn.isDue()) await turn.give();
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
      found.push(items[place] as LibraryItem);
    }
  }
  return found;
}
