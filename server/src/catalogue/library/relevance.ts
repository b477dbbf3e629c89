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
}

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
  const turn = turns();
  for (let from = 0; from < items.length; from = runs.at(-1)?.to ?? items.length) {
    const first = items[from] as LibraryItem;
    const common = commonOf(first);
    let to = from + 1;
    while (to < items.length && to - from < mostOfRun && commonOf(items[to] as LibraryItem) === common) to += 1;
    const old = known.get(first);
    if (old !== undefined && isSame(old, before.items, items, { from, to })) runs.push({ ...old, from, to });
    else {
      const { artist, artists, album, genres, folder } = first;
      const names = [artist ?? '', ...artists.filter((name) => name !== artist)];
      const around = [album?.name ?? '', album?.artist ?? '', ...genres, folder.replaceAll('/', ' ')];
      const own: string[] = [];
      for (let at = from; at < to; at += 1) {
        if (turn.isDue()) await turn.give();
        own.push(ownText(items[at] as LibraryItem));
      }
      runs.push({
        ...{ from, to, own: own.join(betweenTracks) },
        artist: once(names, artists),
        around: once(around, album === null ? [] : [album.name]),
      });
    }
    if (turn.isDue()) await turn.give();
  }
  return { items, runs };
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
  const fileText = path === '' ? '' : searchedText(basename(path, extname(path)));
  return fileText === '' || fileText === titleText ? titleText : titleText + beforeFile + fileText;
}

/** How well a part has a word: 3 for a whole word, 2 for the beginning of one, 1 for a part of one, 0 without it. */
type Fit = 0 | 1 | 2 | 3;

/** Shorter words are not searched inside a name written in one word: they match too many items. */
const leastInOne = 5;

/** The best place of the word in a text, without its names in one word. */
function fitOf(text: string, word: string): Fit {
  let at = text.indexOf(word);
  if (at < 0) return 0;
  const found = text.indexOf(inOne);
  const end = found < 0 ? text.length : found;
  let best: Fit = at < end ? 1 : 0;
  for (; at >= 0 && at < end && best < 3; at = text.indexOf(word, at + 1)) {
    if (at > 0 && text[at - 1] !== ' ') continue;
    const behind = at + word.length;
    best = behind === end || text[behind] === ' ' ? 3 : 2;
  }
  return best;
}

const beginsInOne = (text: string, word: string): boolean => word.length >= leastInOne && text.includes(inOne + word);

function withoutNames(text: string): string {
  const end = text.indexOf(inOne);
  return end < 0 ? text : text.slice(0, end);
}

/** More than any match elsewhere. */
const namedCounts = 100;

/** A word as it may be spelled, and how well what a run has in common has it: its artists, and all of it. */
interface Sought {
  word: string;
  named: Fit;
  all: Fit;
}

/** Calls `add` with the place in the run, and the score, of each track that has every word. */
function scoringOf(words: readonly SearchedWord[]): (run: Run, add: (at: number, score: number) => void) => void {
  const together = words.map(([word]) => word).join(' ');
  const sought = words.map((spellings) => spellings.map((word): Sought => ({ word, named: 0, all: 0 })));
  return ({ artist, around, own }, add) => {
    for (const spellings of sought) {
      let mayHave = false;
      for (const each of spellings) {
        const { word } = each;
        each.named = fitOf(artist, word);
        each.all = each.named === 3 ? 3 : larger(each.named, fitOf(around, word));
        if (each.all === 0 && (beginsInOne(artist, word) || beginsInOne(around, word))) each.all = 1;
        mayHave ||= each.all > 0 || own.includes(word);
      }
      if (!mayHave) return;
    }
    const tracks = own.split(betweenTracks);
    for (let at = 0; at < tracks.length; at += 1) {
      const score = scoreOf(tracks[at] ?? '', artist, sought, together);
      if (score > 0) add(at, score);
    }
  };
}

const larger = (a: Fit, b: Fit): Fit => (a > b ? a : b);

function scoreOf(track: string, artist: string, words: readonly (readonly Sought[])[], together: string): number {
  const cut = track.indexOf(beforeFile);
  const title = cut < 0 ? track : track.slice(0, cut);
  let [all, named] = [0, 0];
  let isNamed = true;
  for (const spellings of words) {
    let [bestOfAll, bestNamed]: [Fit, Fit] = [0, 0];
    for (const { word, named: ofArtist, all: common } of spellings) {
      const here = ofArtist === 3 ? 3 : larger(ofArtist, fitOf(title, word));
      bestNamed = larger(bestNamed, here);
      bestOfAll = larger(bestOfAll, larger(here, common));
      if (bestOfAll < 3 && cut >= 0) bestOfAll = larger(bestOfAll, fitOf(track.slice(cut + 1), word));
      if (bestOfAll === 0 && beginsInOne(title, word)) bestOfAll = 1;
    }
    if (bestOfAll === 0) return 0;
    all += bestOfAll;
    named += bestNamed;
    isNamed &&= bestNamed > 0;
  }
  if (!isNamed) return all;
  const begins = `${withoutNames(title)} ${withoutNames(artist)}`.startsWith(together);
  return all + (named + (begins ? 2 : 0)) * namedCounts;
}

/** The items that have every word, best first; no more than `most`. A blank query finds nothing. */
export async function foundIn({ items, runs }: SearchedList, query: string, most: number): Promise<LibraryItem[]> {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const score = scoringOf(words);
  const turn = turns();
  /** Places in the list. */
  const byScore = new Map<number, number[]>();
  for (const run of runs) {
    if (turn.isDue()) await turn.give();
    score(run, (at, scored) => {
      const alike = byScore.get(scored);
      if (alike) alike.push(run.from + at);
      else byScore.set(scored, [run.from + at]);
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
