import type { LibraryGroup } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { testRoomCode } from '../../testing/room-fixtures.ts';
import { createLibraryModel, libraryPageSize } from './library-model.ts';

const groupAt = (at: number): LibraryGroup => ({
  ...{ id: at.toString(16).padStart(16, '0'), name: `Artist ${String(at)}`, artist: null, year: null, tracks: 10 },
  ...{ albums: null, durationSeconds: null, thumbnail: null },
});
const pageOf = (from: number, artist: number, reading?: { read: number; of: number }) => ({
  totals: { artist, album: 0, genre: 0, playlist: 0, folder: 0, tracks: 5000 },
  groups: Array.from({ length: libraryPageSize }, (_, at) => groupAt(from + at)),
  letters: [],
  ...(reading && { reading }),
});

async function open(reading?: { read: number; of: number }) {
  const connection = createFakeConnection();
  const model = createLibraryModel(connection, { kind: 'audio', code: testRoomCode });
  await connection.last('library/groups').answer(pageOf(0, 500, reading));
  const lastAsked = () => connection.last('library/groups').payload['from'];
  return { connection, model, lastAsked };
}

test('another try asks for the rows in sight, wherever they are in the list', async () => {
  const { connection, model, lastAsked } = await open();
  model.needGroups(300, 320);
  await connection.last('library/groups').refuse('server/unavailable');
  expect(model.shown.get().refusal).toEqual({ code: 'server/unavailable' });
  model.retry();
  expect(connection.count('library/groups')).toBe(3);
  expect(lastAsked()).toBe(libraryPageSize);
});

test('a list that grows while files are read keeps the rows in sight', async () => {
  const reading = { read: 1, of: 9 };
  const { connection, model, lastAsked } = await open(reading);
  model.needGroups(300, 320);
  await connection.last('library/groups').answer(pageOf(libraryPageSize, 500, reading));
  model.lookAgain();
  await connection.last('library/groups').answer(pageOf(0, 501, reading));
  expect(lastAsked()).toBe(libraryPageSize);
  await connection.last('library/groups').answer(pageOf(libraryPageSize, 501, reading));
  expect([...model.shown.get().groups.pages.keys()]).toEqual([0, 1]);
});

test('why nothing was added of a whole group is shown, until it is added', async () => {
  const { connection, model } = await open();
  const adding = model.wholeGroup(groupAt(3));
  await connection.last('library/tracks').refuse('limit/too-many');
  await expect(adding).resolves.toEqual([]);
  expect(model.shown.get().refusal).toEqual({ code: 'limit/too-many' });
  const again = model.wholeGroup(groupAt(3));
  await connection.last('library/tracks').answer({ total: 0, tracks: [] });
  await again;
  expect(model.shown.get().refusal).toBeNull();
});

test('another try asks for the albums of the open artist too', async () => {
  const { connection, model } = await open();
  model.openGroup(groupAt(3), 3);
  await connection.last('library/tracks').answer({ total: 0, tracks: [] });
  await connection.last('library/groups').refuse('server/unavailable');
  expect(model.shown.get().refusal).toEqual({ code: 'server/unavailable' });
  model.retry();
  expect(connection.last('library/groups').payload).toMatchObject({ by: 'album', artist: groupAt(3).id });
  await connection.last('library/groups').answer({ ...pageOf(0, 500), groups: [groupAt(9)] });
  expect(model.shown.get().albums).toEqual([groupAt(9)]);
});
