/** The suggestions of a library of any size, and what a hostile or a very small one makes of them. */
import { performance } from 'node:perf_hooks';
import type { VideoId } from '@tunemate/protocol';
import { aRoom } from '@tunemate/testkit/worlds/a-room';
import { expect, test } from 'vitest';
import { libraryId, type LibraryItem } from '../library/library-item.ts';
import { noTaste } from '../sources/source.ts';
import { librarySuggestions } from './library-suggestions.ts';

const anItem = (name: string, about: Partial<LibraryItem> = {}): LibraryItem => ({
  ...{ id: libraryId(name), title: name, artist: null, artists: [], genres: [], album: null, folder: '' },
  ...{ modifiedMs: 0, kind: 'audio', durationSeconds: 200, mime: 'audio/mpeg', streams: null, seeksExactly: true },
  ...{ playsEverywhere: true, path: '', cover: { in: 'nowhere' }, subtitles: [], lyrics: { in: 'nowhere' } },
  ...{ loudness: { track: null, album: null } },
  ...about,
});
const numbered = (count: number, about: (at: number) => Partial<LibraryItem> = () => ({})): LibraryItem[] =>
  Array.from({ length: count }, (_, at) => anItem(`track ${String(at)}`, about(at)));

function opened(items: readonly LibraryItem[]) {
  const byId = new Map<string, LibraryItem>(items.map((item) => [item.id, item]));
  const soundOf = () => ({ lufs: null, tempo: null });
  return librarySuggestions({ list: () => items, byId: (id) => byId.get(id) ?? null, soundOf, taste: noTaste });
}

const idsOf = (found: { item: LibraryItem }[]): VideoId[] => found.map(({ item }) => item.id);

test('a new house gets a shuffle of the whole library, another in each room, and never the next file of the folder', async () => {
  const items = numbered(2000);
  const suggest = opened(items);
  const place = new Map(items.map(({ id }, at) => [id, at]));
  const seen = new Set<number>();
  let next = 0;
  for (let seed = 0; seed < 60; seed += 1) {
    const playing = items[seed * 20]!.id;
    const [first] = idsOf(await suggest(['audio'], playing, aRoom({ seed }), 6));
    if (place.get(first!) === seed * 20 + 1) next += 1;
    seen.add(place.get(first!)!);
  }
  expect(seen.size).toBeGreaterThan(55);
  expect(next).toBe(0);
  expect([...seen].filter((at) => at >= 1000).length).toBeGreaterThan(15);
});

test('without anything else known the artist and the genre decide, however their tags are written', async () => {
  const genre = (at: number) => ({ genres: [at % 2 === 0 ? 'Folk' : 'Techno'], artists: [`Artist ${String(at)}`] });
  const items = [
    ...numbered(400, genre),
    anItem('alike', { artists: ['Someone '], genres: ['FOLK'] }),
    anItem('playing', { artists: ['SOMEONE'], genres: ['folk'] }),
  ];
  const found = await opened(items)(['audio'], items.at(-1)!.id, aRoom(), 6);
  expect(found.slice(0, 3).map(({ item, because }) => [item.genres[0], because.because])).toEqual(
    Array.from({ length: 3 }, () => ['Folk', 'genre']),
  );
  expect(found[3]).toMatchObject({ item: { title: 'alike' }, because: { because: 'artist', year: null } });
});

test('in a library of one track nothing follows it, in one of three both others, films only where there are films', async () => {
  const [one, two, three] = numbered(3) as [LibraryItem, LibraryItem, LibraryItem];
  expect(await opened([one])(['audio'], one.id, aRoom(), 6)).toEqual([]);
  expect(await opened([])(['audio'], null, aRoom(), 6)).toEqual([]);
  const found = idsOf(await opened([one, two, three])(['audio'], two.id, aRoom(), 6));
  expect(found.toSorted()).toEqual([one.id, three.id].toSorted());
  const film = anItem('film', { kind: 'video' });
  const withFilm = opened([one, two, film]);
  expect(idsOf(await withFilm(['audio'], one.id, aRoom(), 6))).toEqual([two.id]);
  expect(idsOf(await withFilm(['video', 'audio'], one.id, aRoom(), 6))).toEqual([film.id, two.id]);
});

test('what waits in the queue is not suggested', async () => {
  const items = numbered(4) as [LibraryItem, LibraryItem, LibraryItem, LibraryItem];
  const waiting = [items[1].id, items[2].id];
  expect(idsOf(await opened(items)(['audio'], items[0].id, aRoom({ waiting }), 6))).toEqual([items[3].id]);
});

test('tags that an attacker writes cost no more than others, and name no property of an object', async () => {
  const hostile = ['__proto__', 'constructor', '\u202Eabc', '', ' ', 'x'.repeat(5000)];
  const items = numbered(300, (at) => ({
    artists: [hostile[at % hostile.length]!],
    genres: Array.from({ length: 20 }, (_, place) => hostile[(at + place) % hostile.length]!),
    album: { name: 'x', artist: null, year: at % 2 === 0 ? 9999 : 0, place: 0 },
  }));
  const found = await opened(items)(['audio'], items[0]!.id, aRoom(), 18);
  expect(new Set(idsOf(found)).size).toBe(18);
});

test('other work goes on while a list of a large library is made', async () => {
  // One artist everywhere: no track follows all rules, so the whole library is looked at.
  const items = numbered(20_000, () => ({ artists: ['One'] }));
  const suggest = opened(items);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const startMs = performance.now();
  expect(await suggest(['audio'], items[0]!.id, aRoom(), 6)).toHaveLength(6);
  clearInterval(counting);
  expect(performance.now()).toBeGreaterThan(startMs);
  expect(turns).toBeGreaterThan(10);
});
