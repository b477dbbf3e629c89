/** Playlists of the library: their covers and owners, and the keys in their rows. */
import type { LibraryGroup, LibraryTrack, Result, Value, VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { button, focused, shown, words } from '../../testing/screens/find.ts';
import { openRoom } from '../../testing/screens/rooms.ts';

const hex = (at: number): string => at.toString(16).padStart(16, '0');
const playlist: LibraryGroup = {
  ...{ id: hex(3), name: 'Kitchen, Sundays', artist: 'Mara', year: null, tracks: 10, albums: null },
  ...{ durationSeconds: null, thumbnail: null },
  covers: [1, 2, 3, 4].map((at) => `/media/lib_${hex(at)}/cover`),
};
const tracks = Array.from({ length: 10 }, (_, at): LibraryTrack => {
  const name = `Song ${String(at)}`;
  return {
    ...{ videoId: `lib_${hex(at)}` as VideoId, name, title: name, artist: null, album: null, server: null },
    ...{ durationSeconds: 60, thumbnail: null, isFilm: false },
  };
});

const aRoom = (answer: () => Result<Value<'library/tracks'>> | Promise<Result<Value<'library/tracks'>>>) =>
  openRoom('audio', {
    prepare: (server) => {
      server.on('library/groups', ({ by }) =>
        ok<Value<'library/groups'>>({
          totals: { artist: 0, album: 0, genre: 0, playlist: 1, folder: 0, tracks: 10 },
          groups: by === 'playlist' ? [playlist] : [],
          letters: [],
        }),
      );
      server.on('library/tracks', answer);
    },
  });

test('a key keeps the focus while the tracks of its playlist are on their way, and says why they do not come', async () => {
  const answer = Promise.withResolvers<Result<Value<'library/tracks'>>>();
  await aRoom(() => answer.promise);
  await button('Library').click();
  await button('Playlists').click();
  const key = button('Add Kitchen, Sundays to the queue');
  await shown(key);
  (key.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(key).toHaveAttribute('aria-busy', 'true');
  await focused(key);
  answer.resolve(refused('limit/too-many'));
  await shown(words(/^Too many/));
  await focused(key);
});

test('playlists are listed with their covers and owners, and played next or added from their rows', async () => {
  const room = await aRoom(() => ok({ total: 10, tracks }));
  await button('Library').click();
  await button('Playlists').click();
  const row = button('Kitchen, Sundays 10 tracks · by Mara');
  await expect.poll(() => row.element().querySelectorAll('img').length).toBe(4);
  await expectAccessible('this');
  await button('Play Kitchen, Sundays next').click();
  await expect.poll(() => room.intents().filter((one) => one.type === 'enqueue' && one.isNext).length).toBe(10);
  await button('Add Kitchen, Sundays to the queue').click();
  await shown(words('10 tracks added to the queue'));
  await row.click();
  await shown(page.getByRole('region', { name: 'Library', exact: true }).getByText('10 tracks · by Mara'));
  await button('Add all 10').click();
  await expect.poll(() => room.intents().filter(({ type }) => type === 'enqueueAll').length).toBe(2);
});
