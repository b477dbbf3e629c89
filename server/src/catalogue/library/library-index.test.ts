/** What is kept once for all rooms is what each would have of its own. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupingsOfItems, indexesKept } from './library-index.ts';
import { isShownIn, libraryId, type LibraryItem } from './library-item.ts';

const item = (title: string, more: Partial<LibraryItem>) =>
  ({
    ...{ id: libraryId(title), title, kind: 'audio', artist: null, artists: [], genres: [] },
    ...more,
  }) as LibraryItem;

const name = (...names: string[]) => fc.constantFrom(...names);

const facts = fc.record({
  kind: name('audio', 'audio', 'video') as fc.Arbitrary<LibraryItem['kind']>,
  artists: fc.array(name('Ines', 'INES', 'Otis', 'otis', 'Anna'), { maxLength: 2 }),
  genres: fc.array(name('Jazz', 'jazz', 'Soul'), { maxLength: 2 }),
  album: fc.option(
    fc.record({
      ...{ name: name('Live', 'LIVE', 'Hits'), artist: fc.option(name('Ines', 'Otis')) },
      ...{ year: fc.option(fc.constantFrom(1994, 2001)), place: fc.nat(2) },
    }),
  ),
  ...{ folder: name('', 'a', 'b'), modifiedMs: fc.nat(5) },
});

test('rooms that see no films have what a library without films has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { maxLength: 25 }), async (made) => {
      const all = made.map((each, at) => {
        const title = String(at);
        return item(title, { ...each, artist: each.artists[0] ?? null });
      });
      const tracks = all.filter(isShownIn.audio);
      const [shared, own] = [indexesKept(() => all)('audio'), indexesKept(() => tracks)('audio')];
      for (const by of groupingsOfItems) {
        expect(await shared.groups(by)).toEqual(await own.groups(by));
        expect(await shared.letters(by)).toEqual(await own.letters(by));
      }
      expect(await shared.groupsByYear('album')).toEqual(await own.groupsByYear('album'));
      expect(shared.items).toEqual(own.items);
      expect(await shared.newest()).toEqual(await own.newest());
    }),
  );
});

test('groups without films are the same objects in all rooms', async () => {
  const all = [item('1', { folder: 'a' }), item('2', { folder: 'b' }), item('3', { folder: 'b', kind: 'video' })];
  const of = indexesKept(() => all);
  const [audio, video] = [await of('audio').groups('folder'), await of('video').groups('folder')];
  expect(audio[0]).toBe(video[0]);
  expect([audio, video].map((groups) => groups.map(({ items }) => items.length))).toEqual([
    [1, 1],
    [1, 2],
  ]);
});
