/** A room without any track: a board of six in the player's place, and the first one at once after 'Try it now'. */
import { type LibraryTrack, roomKinds, type VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { type FakeServer, ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, heading, shown, words } from '../../../testing/screens/find.ts';
import { aRoomMessage, aTrack, openRoom } from '../../../testing/screens/rooms.ts';
import { triedState } from '../../store/first-track.ts';

const trackAt = (at: number, more: Partial<LibraryTrack> = {}): LibraryTrack => ({
  ...aTrack('a'),
  videoId: `lib_${String(at).padStart(16, '0')}` as VideoId,
  title: `Song ${String(at)} – Mara`,
  name: `Song ${String(at)}`,
  artist: 'Mara',
  album: null,
  server: null,
  isFilm: false,
  ...more,
});
const answerTracks =
  (count: number, more: Partial<LibraryTrack> = {}) =>
  (server: FakeServer): void =>
    server.on('library/tracks', () =>
      ok({ total: count, tracks: Array.from({ length: count }, (_, at) => trackAt(at, more)) }),
    );
const cards = (what = 'Play Song') => page.getByRole('button', { name: new RegExp(`^${what}`) });
const player = () => page.getByRole('region', { name: 'Player' });
const asGuest = { isHost: false, playing: { controller: 'another tab' } } as const;

test.for(roomKinds)('the host of an empty %s room begins with a press in the place of the player', async (kind) => {
  const room = await openRoom(kind, { prepare: answerTracks(9) });
  await shown(player().getByRole('heading', { name: 'Press a track to start' }));
  await expect.poll(() => cards().elements().length).toBe(6);
  expect(room.server.asked('library/tracks')).toMatchObject([{ view: { type: 'toBegin' } }]);
  await expectAccessible('all');
  expect(room.intents()).toEqual([]);
  await cards().nth(1).click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'choose', track: { title: 'Song 1 – Mara' } });
  room.replace(trackAt(1));
  await gone(heading('Press a track to start'));
  await shown(button('Play'));
  await expect.poll(() => document.activeElement?.closest('section')?.ariaLabel).toBe('Player');
});

test('a video room whose library has films says so', async () => {
  await openRoom('video', { prepare: answerTracks(6, { isFilm: true }) });
  await shown(heading('Press a film to start'));
});

test.for(roomKinds)('on a phone the board of a %s room is in the first screen, above the search', async (kind) => {
  await lookOnPhone();
  await openRoom(kind, { prepare: answerTracks(6) });
  await expect.poll(() => cards().elements().length).toBe(6);
  for (const card of cards().all()) await expect.element(card).toBeInViewport({ ratio: 1 });
  const search = field(kind === 'video' ? 'Search videos' : 'Search tracks');
  await expect.element(search).toBeInViewport({ ratio: 1 });
  const bottom = player().element().getBoundingClientRect().bottom;
  expect(search.element().getBoundingClientRect().top).toBeGreaterThan(bottom);
});

test('a guest reads what happens, and proposes from the same board', async () => {
  const room = await openRoom('video', {
    ...asGuest,
    prepare: (server) => {
      answerTracks(6)(server);
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await shown(heading('Nothing plays yet'));
  await shown(words(/^Ivo chooses the first track. It starts here by itself, at the same second for everybody\./));
  await expect.poll(() => cards('Propose Song').elements().length).toBe(6);
  await expectAccessible('all');
  await cards('Propose Song').nth(2).click();
  const [asked] = room.server.asked('rooms/propose');
  expect(asked).toMatchObject({ track: { title: 'Song 2 – Mara' } });
  room.tell({ type: 'rooms/proposed', proposal: { id: 'a', track: trackAt(2), proposer: maraUid, votes: 1 } });
  await shown(button('Song 2 – Mara: Proposed'));
  await gone(page.getByRole('slider', { name: 'Position' }));
});

test.each([
  ['is empty', answerTracks(0)],
  ['can’t be read', (server: FakeServer) => server.on('library/tracks', () => refused('server/busy'))],
])('where the library %s a key leads to the search', async (_what, prepare) => {
  await openRoom('video', { prepare });
  await shown(heading('Search for a track to start'));
  await button('Find a track').click();
  await focused(field('Search videos'));
});

test('a library that is lost with the connection is asked again, and plays what was asked for', async () => {
  let isLost = true;
  const room = await openRoom('audio', {
    prepare: (server) =>
      server.on('library/tracks', () => {
        history.replaceState(triedState, '');
        const answer = isLost ? refused('server/unavailable') : ok({ total: 1, tracks: [trackAt(0)] });
        isLost = false;
        return answer;
      }),
  });
  await expect.poll(() => room.intents().at(0)).toMatchObject({ type: 'choose', track: { title: 'Song 0 – Mara' } });
});

test('nothing is offered beside a track', async () => {
  const room = await openRoom('audio', { prepare: answerTracks(9), playing: { tracks: [aTrack('a')] } });
  await shown(button('Play'));
  expect(room.server.asked('library/tracks')).toEqual([]);
});

test("after 'Try it now' the newest track plays, once, and others follow it", async () => {
  const room = await openRoom('audio', {
    prepare: (server) => {
      server.on('library/tracks', () => {
        history.replaceState(triedState, '');
        return ok({ total: 2, tracks: [trackAt(0), trackAt(1)] });
      });
    },
  });
  await expect
    .poll(() => room.intents())
    .toMatchObject([
      { type: 'choose', track: { title: 'Song 0 – Mara' } },
      { type: 'setAfterTrack', afterTrack: 'queue' },
      { type: 'enqueueAll' },
    ]);
  expect(history.state).not.toBe(triedState);
});

test('on a phone the chat that is opened shows its messages, which are out of sight below the board until then', async () => {
  await lookOnPhone();
  await openRoom('video', {
    messages: [aRoomMessage(1, { text: 'Which film first?' })],
    prepare: answerTracks(9),
  });
  await shown(cards().first());
  await expect.element(words('Which film first?')).not.toBeVisible();
  await button('Click here to Start Chat').click();
  await shown(words('Which film first?'));
});
