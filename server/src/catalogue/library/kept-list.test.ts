/** Where items are by their ids, as a Map says it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growingList, keptList } from './kept-list.ts';
import { libraryId, type LibraryItem } from './library-item.ts';

const item = (id: string, title = id) => ({ id, title }) as LibraryItem;

test('of each id the first item is found, however many there are and whatever their ids', () => {
  // The second digits of these make them meet in one slot.
  const alike = fc.constantFrom('0', '1', 'f').map((end) => `lib_00000001${end.repeat(8)}`);
  const any = fc.oneof(fc.string(), alike, fc.nat(99).map(String).map(libraryId));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 300 }), any, (ids, other) => {
      const items = ids.map((id, at) => item(id, String(at)));
      const list = keptList(items);
      for (const id of [...ids, other]) {
        expect(list.byId(id)).toBe(items.find((each) => each.id === id) ?? null);
      }
    }),
  );
});

test('a list that was taken stays as it was while the other one grows', () => {
  const list = growingList();
  const [first, second] = [item(libraryId('a')), item(libraryId('b'))];
  list.push(first);
  const before = list.soFar();
  list.push(second);
  expect(before.items).toEqual([first]);
  expect(list.soFar().items).toEqual([first, second]);
  expect(list.byId(second.id)).toBe(second);
});
