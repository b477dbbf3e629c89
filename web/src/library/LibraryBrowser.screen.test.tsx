import {
  limits,
  type LibraryGroup,
  type LibraryTrack,
  type Payload,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok, refused, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, field, focused, gone, shown, words } from '../../testing/screens/find.ts';
import { aTrack, openRoom, type RoomVisit } from '../../testing/screens/rooms.ts';

const size = limits.libraryPage;
const hex = (at: number): string => at.toString(16).padStart(16, '0');
const letters = ['A', 'B', 'C', 'D', 'E'];

/** 500 artists of ten tracks each; a hundred begin with each letter. */
const artists: readonly LibraryGroup[] = Array.from({ length: 500 }, (_, at) => ({
  id: hex(at),
  name: `${letters[Math.floor(at / 100)] ?? ''}rtist ${String(at)}`,
  artist: null,
  year: null,
  tracks: 10,
  albums: at % 3,
  durationSeconds: null,
  thumbnail: null,
}));
const anAlbum = (at: number, name: string, year: number): LibraryGroup => ({
  ...{ id: hex(at), name, artist: 'Artist 3', year, tracks: 10, albums: null, durationSeconds: 2411, thumbnail: null },
});
const trackAt = (at: number): LibraryTrack => ({
  videoId: `lib_${hex(at)}` as VideoId,
  name: `Song ${String(at)}`,
  title: `Song ${String(at)} – Artist ${String(Math.floor(at / 10))}`,
  artist: `Artist ${String(Math.floor(at / 10))}`,
  album: 'Velvet Hour',
  server: at === 31 ? 'navidrome' : null,
  durationSeconds: 60 + at,
  thumbnail: null,
  isFilm: false,
});
const trackCount = 5000;

function groupsFrom({ by, from }: Payload<'library/groups'>) {
  const groups = by === 'artist' ? artists : [];
  return ok<Value<'library/groups'>>({
    totals: { artist: artists.length, album: 0, genre: 0, playlist: 0, folder: 0, tracks: trackCount },
    groups: groups.slice(from, from + size),
    letters: letters.map((letter, at) => ({ letter, at: at * 100 })),
  });
}

function answerLibrary(server: FakeServer): void {
  server.on('library/groups', groupsFrom);
  server.on('library/tracks', ({ view, from }) => {
    const first = view.type === 'group' ? Number.parseInt(view.id, 16) * 10 : 0;
    const found = view.type === 'search' && view.words !== 'song' ? 0 : trackCount;
    const total = view.type === 'group' ? 10 : found;
    const count = Math.max(0, Math.min(size, total - from));
    return ok({ total, tracks: Array.from({ length: count }, (_, at) => trackAt(first + from + at)) });
  });
}

const open = async (kind: 'video' | 'audio', visit: RoomVisit = {}) => {
  const room = await openRoom(kind, { prepare: answerLibrary, ...visit });
  await button('Library').click();
  return room;
};
const library = (): Locator => page.getByRole('region', { name: 'Library', exact: true });
const list = (name: string): Locator => library().getByRole('list', { name });
const openArtist = () =>
  list('Artists')
    .getByRole('button', { name: /^Artist 3/ })
    .first()
    .click();

describe('the library in a room', () => {
  test('lists genres as tiles with their numbers, and opens one', async () => {
    const genres = ['Chamber music', 'Jazz', null].map((name, at) => ({ ...anAlbum(at, 'x', 2021), name, year: null }));
    await open('audio', {
      prepare(stand) {
        answerLibrary(stand);
        stand.on('library/groups', ({ by }) =>
          ok<Value<'library/groups'>>({
            totals: { artist: 0, album: 0, genre: 3, playlist: 0, folder: 0, tracks: trackCount },
            groups: by === 'genre' ? genres : [],
            letters: [],
          }),
        );
      },
    });
    await button('Genres').click();
    await expect.element(list('Genres').getByRole('listitem').last()).toHaveTextContent('Unfiled10 tracks');
    await expectAccessible('all');
    await button(/Jazz/).click();
    await shown(library().getByRole('heading', { name: 'Jazz' }));
    await shown(library().getByText('Song 10', { exact: true }));
  });

  test('gives a pasted link to the search of the room', async () => {
    const { server } = await open('video', {
      prepare(stand) {
        answerLibrary(stand);
        stand.on('catalogue/search', () => ok({ status: 'library-only', items: [] }));
      },
    });
    await field('Search the library').fill('this one: https://youtu.be/dQw4w9WgXcQ.');
    await userEvent.keyboard('{Enter}');
    await gone(library());
    await expect.poll(() => server.asked('catalogue/search').map(({ query }) => query)).toHaveLength(1);
    expect(server.asked('library/tracks').filter(({ view }) => view.type === 'search')).toEqual([]);
  });

  test('makes the cover of an audio room small, and has tiles in place of a cover', async () => {
    await openRoom('audio', { prepare: answerLibrary, playing: { tracks: [aTrack('a')] } });
    const player = page.getByRole('region', { name: 'Player' });
    const edge = () => player.element().querySelector('[class*="sleeve"]')?.getBoundingClientRect().width ?? 0;
    await shown(player);
    const before = edge();
    await button('Library').click();
    await openArtist();
    await shown(library().getByText('Song 30'));
    expect(edge()).toBeLessThan(before * 0.7);
    expect(library().element().getBoundingClientRect().left).toBeGreaterThan(
      player.element().getBoundingClientRect().right,
    );
    // What follows the track can wait until the library is closed.
    await gone(page.getByRole('radiogroup', { name: 'After the track' }));
    const row = library().getByRole('listitem').filter({ hasText: 'Song 30' });
    expect(row.element().querySelectorAll('svg path').length).toBeGreaterThanOrEqual(6);
  });

  test('a track that is in the queue has a check in the place of its plus', async () => {
    await open('audio', { playing: { tracks: [30, 31].map((at) => aTrack('a', { videoId: trackAt(at).videoId })) } });
    await openArtist();
    const key = button('Song 31: In the queue');
    await expect.element(key).toHaveAttribute('aria-disabled', 'true');
    await shown(button('Add Song 32 to the queue'));
    // What plays can be queued again.
    await shown(button('Add Song 30 to the queue'));
  });

  test('shows artists, their tracks, and plays or adds one', async () => {
    const room = await open('video');
    await shown(words('5,000 tracks'));
    await shown(library().getByRole('button', { name: /^Artists/ }));
    // Tabs without entries are left out.
    await gone(library().getByRole('button', { name: /^Albums/ }));
    await expectAccessible('all');
    const facts = ['0 10 tracks', '1 1 album', '2 2 albums'];
    for (const each of facts) await shown(list('Artists').getByRole('button', { name: `Artist ${each}` }));
    await openArtist();
    await shown(library().getByText('Song 30'));
    await expectAccessible('all');
    // Of the tracks, one comes from the music server.
    await shown(library().getByText('Velvet Hour · Navidrome'));
    await button('Add Song 31 to the queue').click();
    await expect
      .poll(() => room.intents().at(-1))
      .toEqual({
        type: 'enqueue',
        track: { videoId: trackAt(31).videoId, title: 'Song 31 – Artist 3', durationSeconds: 91 },
      });
    await button('Copy the link to Song 31').click();
    await shown(words(/^Link copied|^The browser does not let/));
    await button('Play Song 30').click();
    await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'choose', track: { title: /Song 30/ } });
    await library().getByRole('button', { name: 'Close' }).click();
    await gone(library());
  });

  test('adds a whole album, with Undo, in the order of its numbers', async () => {
    const room = await open('video', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('playback/write', ({ intent }) =>
          ok({ revision: 1, ...(intent.type === 'enqueueAll' && { added: intent.items.length }) }),
        );
      },
    });
    await openArtist();
    await button('Add all 10').click();
    await shown(words('10 tracks added to the queue'));
    const added = room.intents().at(-1);
    expect(added?.type === 'enqueueAll' && added.items.map(({ title }) => title)[9]).toBe('Song 39 – Artist 3');
    await button('Undo').click();
    await shown(button('Add all 10'));
  });

  test('leads from an artist to their albums, whose tracks are numbered, and back', async () => {
    const album = anAlbum(9, 'Velvet Hour', 2021);
    const room = await open('audio', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('library/groups', ({ by }) =>
          ok<Value<'library/groups'>>({
            totals: { artist: 500, album: 1, genre: 0, playlist: 0, folder: 0, tracks: trackCount },
            groups: by === 'album' ? [album] : artists.slice(0, size),
            letters: [],
          }),
        );
      },
    });
    await openArtist();
    await list('Albums')
      .getByRole('button', { name: /^Velvet Hour/ })
      .click();
    await shown(library().getByText('2021 · 10 tracks · 40 min 11 s'));
    // What is inside has the place of the search and the tabs.
    await gone(field('Search the library'));
    await gone(page.getByRole('navigation', { name: 'Library' }));
    expect(room.server.asked('library/groups').at(-1)).toMatchObject({ by: 'album' });
    expect(room.server.asked('library/groups').some(({ artist }) => artist === hex(3))).toBe(true);
    const row = list('Velvet Hour').getByRole('listitem').first();
    await expect.element(row).toMatchTextContent(/^1Play Song 90/);
    await expectAccessible('this');
    await button('Artist 3').click();
    await shown(library().getByText('Song 30'));
  });

  test('looks through one of several sources, tracks and searches too', async () => {
    const room = await open('audio', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('library/groups', ({ source }) =>
          ok<Value<'library/groups'>>({
            totals: { artist: source ? 2 : 500, album: 0, genre: 0, playlist: 0, folder: 0, tracks: trackCount },
            groups: artists.slice(0, source ? 2 : size),
            letters: [],
            sources: [
              { name: 'files', server: null },
              { name: 'subsonic', server: 'navidrome' },
            ],
          }),
        );
      },
    });
    const source = library().getByRole('combobox', { name: 'Where tracks come from' });
    await userEvent.selectOptions(source, 'Navidrome');
    await expect.poll(() => list('Artists').getByRole('button').length).toBe(2);
    await button('Newest').click();
    await expect.poll(() => room.server.asked('library/tracks').at(-1)).toMatchObject({ source: 'subsonic' });
    await field('Search the library').fill('song');
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => room.server.asked('library/tracks').at(-1))
      .toMatchObject({ source: 'subsonic', view: { type: 'search' } });
    await expectAccessible('this');
    await userEvent.selectOptions(source, 'All music');
    await expect.poll(() => room.server.asked('library/tracks').at(-1)).not.toHaveProperty('source');
  });

  test('sorts albums by year and by name again', async () => {
    const albums = ['Ash', 'Rain'].map((name, at) => anAlbum(at + 1, name, 2020 + at));
    const room = await open('audio', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('library/groups', ({ order }) =>
          ok<Value<'library/groups'>>({
            totals: { artist: 500, album: 2, genre: 0, playlist: 0, folder: 0, tracks: trackCount },
            groups: order === 'year' ? albums.toReversed() : albums,
            letters: [],
          }),
        );
      },
    });
    await button('Albums').click();
    const first = list('Albums').getByRole('button').first();
    await expect.element(first).toMatchTextContent(/^Ash/);
    await button('Sort by year').click();
    await expect.element(first).toMatchTextContent(/^Rain/);
    expect(room.server.asked('library/groups').at(-1)).toMatchObject({ by: 'album', order: 'year' });
    await shown(words('Newest first'));
    await expectAccessible('this');
    await button('Sort by name').click();
    await expect.element(first).toMatchTextContent(/^Ash/);
  });

  test.each([390, 320])('shows each tab whole on a phone of %i px', async (width) => {
    await page.viewport(width, 844);
    const totals = { artist: 500, album: 3871, genre: 0, playlist: 0, folder: 12, tracks: trackCount };
    await open('audio', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('library/groups', () =>
          ok<Value<'library/groups'>>({ totals, groups: artists.slice(0, 2), letters: [] }),
        );
      },
    });
    await button('Albums').click();
    await shown(button('Albums 3,871'));
    const tabs = page.getByRole('navigation', { name: 'Library' });
    for (const tab of tabs.getByRole('button').elements()) {
      const { left, right } = tab.getBoundingClientRect();
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
    }
    expect(tabs.getByRole('button').length).toBe(4);
  });

  test('a press anywhere on a row plays its track, or proposes it', async () => {
    const room = await open('video');
    await button('Newest').click();
    await list('Newest').getByText('Song 2', { exact: true }).click();
    await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'choose', track: { title: /Song 2/ } });
    await button('Play Song 3 next').click();
    await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'enqueue', isNext: true });
  });

  test('a guest proposes from the library, or adds where everyone can', async () => {
    const room = await open('video', { isHost: false, playing: { controller: 'another tab' } });
    await openArtist();
    await shown(button('Propose Song 31'));
    room.tell({ type: 'rooms/set', settings: { everyoneAdds: true } });
    await shown(button('Add Song 31 to the queue'));
    await gone(button('Propose Song 31'));
  });

  test('lies on the stage of an audio room, and its tracks take the place of the artists on a phone', async () => {
    await lookOnPhone();
    await open('audio');
    await list('Artists')
      .getByRole('button', { name: /^Artist 1/ })
      .first()
      .click();
    await shown(library().getByText('Song 10'));
    await gone(list('Artists'));
    await expectAccessible();
    await library().getByRole('button', { name: 'Artists', exact: true }).click();
    await shown(list('Artists'));
  });

  test('searches the library alone, says when nothing is found, and ends the search with the words', async () => {
    const room = await open('audio');
    await field('Search the library').fill('song');
    await userEvent.keyboard('{Enter}');
    await shown(list('song').getByText('Song 0'));
    await field('Search the library').fill('tea');
    await userEvent.keyboard('{Enter}');
    await shown(words('Nothing in the library has these words.'));
    expect(room.server.asked('catalogue/search')).toEqual([]);
    await field('Search the library').fill('');
    await shown(list('Artists'));
  });

  test('takes the place of the search and its results, which is there again once it is closed', async () => {
    await open('video', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('catalogue/search', () => ok({ status: 'ok', items: [] }));
      },
    });
    await shown(library());
    await gone(field('Search videos'));
    await library().getByRole('button', { name: 'Close' }).click();
    await field('Search videos').fill('tea');
    await userEvent.keyboard('{Enter}');
    await shown(words('No results found'));
    await button('Library').click();
    await shown(library());
    await gone(words('No results found'));
  });

  test('says so when it is empty', async () => {
    await open('audio', {
      prepare: (server) => {
        answerLibrary(server);
        const totals = { artist: 0, album: 0, genre: 0, playlist: 0, folder: 0, tracks: 0 };
        server.on('library/groups', () => ok({ totals, groups: [], letters: [] }));
      },
    });
    await shown(words('The library is empty.'));
    await expectAccessible();
  });
});

describe('a library of thousands', () => {
  test('draws only the rows in sight and asks for pages as they come into sight', async () => {
    const room = await open('audio');
    await button('Newest').click();
    await shown(list('Newest').getByText('Song 0', { exact: true }));
    expect(list('Newest').getByRole('listitem').length).toBeLessThan(40);
    const box = list('Newest').element().parentElement;
    if (box === null) throw new Error('no list');
    box.scrollTop = box.scrollHeight;
    await shown(list('Newest').getByText('Song 4999'));
    // The board of the empty room asks too.
    const asked = room.server.asked('library/tracks').filter(({ view }) => view.type !== 'toBegin');
    // Pages that were passed over in one jump are not asked for.
    expect(asked.map(({ from }) => from)).toEqual([0, 4800]);
    expect(list('Newest').getByRole('listitem').length).toBeLessThan(40);
    await expect.element(list('Newest').getByRole('listitem').last()).toHaveAttribute('aria-setsize', '5000');
  });

  test('is passed through with the keyboard: arrows go along the rows and from row to row, letters to their place', async () => {
    await open('audio');
    const first = list('Artists').getByRole('button', { name: /^Artist 0/ });
    await shown(first);
    (first.element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight}');
    await focused(list('Artists').getByRole('button', { name: /^Artist 1\b/ }));
    await userEvent.keyboard('{ArrowDown}{ArrowUp}');
    await focused(list('Artists').getByRole('button', { name: /^Artist 1\b/ }));
    await userEvent.keyboard('d');
    await focused(list('Artists').getByRole('button', { name: /^Drtist 300/ }));
    await userEvent.keyboard('{Home}');
    await focused(first);
  });

  test('a key that leads to rows which are on their way goes there, and to the row once it has come', async () => {
    const rest = Promise.withResolvers<void>();
    await open('audio', {
      prepare: (server) => {
        answerLibrary(server);
        server.on('library/groups', async (asked) => {
          if (asked.from > 0) await rest.promise;
          return groupsFrom(asked);
        });
      },
    });
    const first = list('Artists').getByRole('button', { name: /^Artist 0/ });
    await shown(first);
    (first.element() as HTMLElement).focus();
    await userEvent.keyboard('d');
    const row = () => document.activeElement?.getAttribute('data-row');
    await expect.poll(row).toBe('300');
    await userEvent.keyboard('e');
    await expect.poll(row).toBe('400');
    rest.resolve();
    await focused(list('Artists').getByRole('button', { name: /^Ertist 400/ }));
  });
});

test('while files are read it says how far, and lists what is there once they are', async () => {
  let reading: Value<'library/groups'>['reading'] = { read: 12_400, of: 31_000 };
  await open('audio', {
    prepare: (server) => {
      answerLibrary(server);
      server.on('library/groups', () => {
        const totals = {
          artist: 500,
          album: 0,
          genre: 0,
          playlist: 0,
          folder: 0,
          tracks: reading === undefined ? 31_000 : 12_400,
        };
        return ok({ totals, groups: artists.slice(0, size), letters: [], ...(reading && { reading }) });
      });
    },
  });
  await shown(words('12,400 of 31,000 read'));
  await shown(words('12,400 tracks'));
  await expectAccessible();
  reading = undefined;
  await gone(words('12,400 of 31,000 read'));
  await shown(words('31,000 tracks'));
});

test('rows that do not come say why and can be asked for again, and a list is where it was left', async () => {
  let isRefused = true;
  await open('audio', {
    prepare: (server) => {
      answerLibrary(server);
      server.on('library/groups', (asked) => (isRefused ? refused('server/unavailable') : groupsFrom(asked)));
    },
  });
  await shown(words(/Can't reach the server/));
  await expectAccessible();
  isRefused = false;
  await button('Try again').click();
  await gone(words(/Can't reach the server/));
  isRefused = true;
  (
    list('Artists')
      .getByRole('button', { name: /^Artist 0/ })
      .element() as HTMLElement
  ).focus();
  await userEvent.keyboard('d');
  await shown(words(/Can't reach the server/));
  isRefused = false;
  await button('Try again').click();
  const artist = list('Artists').getByRole('button', { name: /^Drtist 300/ });
  await artist.click();
  await button('Artists').click();
  await focused(artist);
});
