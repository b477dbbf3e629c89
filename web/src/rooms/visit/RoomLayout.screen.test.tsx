import type { VideoId } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';
import { watchKeyboard } from '../../shell/after-start.ts';
import { navigate } from '../../store/address.ts';

const box = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();
const seek = (): Locator => page.getByRole('slider', { name: 'Seek' });

describe('the room in windows of all sizes', () => {
  test.for([
    [320, 640],
    [390, 844],
    [769, 700],
    [1024, 768],
    [1280, 800],
  ] as const)('the head and the deck have room at %i px', async ([width, height]) => {
    await page.viewport(width, height);
    await openRoom('video', { playing: { tracks: [aTrack('f', { title: 'The whole of a very long evening' })] } });
    await shown(button('Invite'));
    const name = page.getByRole('heading', { level: 1 }).element();
    const words = name.parentElement?.getBoundingClientRect();
    for (const part of [name, ...(name.nextElementSibling?.children ?? [])]) {
      const { width: drawn, right } = part.getBoundingClientRect();
      if (drawn > 0) expect(right, part.textContent).toBeLessThanOrEqual((words?.right ?? 0) + 1);
    }
    expect(words?.right).toBeLessThanOrEqual(box(button('Invite')).left);
    expect(box(seek()).width).toBeGreaterThan(60);
    // The deck ends where the picture ends.
    const deck = page.getByRole('region', { name: 'Player' });
    expect(Math.abs(box(deck).right - box(page.getByRole('group', { name: 'View' })).right)).toBeLessThanOrEqual(1);
    await expectAccessible('this');
  });

  test('on a narrow phone the head of a locked room says in full who hosts', async () => {
    await page.viewport(330, 640);
    await openRoom('video', { settings: { isLocked: true } });
    await shown(words('Locked'));
    const name = page.getByRole('heading', { level: 1 }).element();
    const leader = [...(name.nextElementSibling?.children ?? [])].find((part) => part.textContent === 'You (Host)');
    expect(leader?.scrollWidth).toBe(leader?.clientWidth);
    expect(leader?.clientWidth).toBeGreaterThan(0);
  });

  test('a name of two lines keeps its distance from the upper edge of the window', async () => {
    await page.viewport(1280, 800);
    await openRoom('video', { name: 'Listening to every record that we own, from the first one' });
    await shown(button('Invite'));
    expect(box(page.getByRole('heading', { level: 1 })).top).toBeGreaterThanOrEqual(8);
  });

  const longName = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2).slice(0, 100);

  test.for([
    [320, 640],
    [390, 844],
    [844, 390],
    [1280, 800],
  ] as const)('a name as long as names may be takes three lines at most of %i x %i px', async ([width, height]) => {
    await page.viewport(width, height);
    await openRoom('video', { name: longName });
    await shown(button('Invite'));
    const name = page.getByRole('heading', { level: 1 }).element();
    const { lineHeight } = getComputedStyle(name);
    expect(name.getBoundingClientRect().height).toBeLessThanOrEqual(3 * parseFloat(lineHeight) + 1);
  });

  test('at 320 px the bar of the room leaves its title the width of the window', async () => {
    await page.viewport(320, 640);
    await openRoom('video', { playing: { tracks: [aTrack('f')], isPlaying: true, controller: 'this tab' } });
    navigate('/');
    const bar = page.getByRole('region', { name: 'Room', exact: true });
    await shown(bar);
    expect(box(bar.getByRole('strong')).width).toBeGreaterThan(180);
  });

  test.for([
    [320, 568],
    [390, 844],
    [844, 390],
  ] as const)('the host reaches play, chat and leave in the first screen of %i x %i px', async ([width, height]) => {
    await page.viewport(width, height);
    await openRoom('video', { playing: { tracks: [aTrack('f')], isPlaying: true, controller: 'this tab' } });
    if (width === 844) await button('Exit full screen').click();
    const keys = [button('Pause'), button('Click here to Start Chat'), button('Leave')];
    for (const key of keys) {
      await expect.element(key).toBeInViewport({ ratio: 1 });
      const { left, right, top, bottom } = box(key);
      expect(Math.min(right - left, bottom - top), key.selector).toBeGreaterThanOrEqual(44);
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      expect(key.element().contains(hit), key.selector).toBe(true);
    }
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  });

  test.for([
    ['audio', 667, 375],
    ['video', 844, 390],
    ['video', 360, 640],
  ] as const)(
    'the %s chat that is opened comes into sight with its field at %i x %i px',
    async ([kind, width, height]) => {
      await page.viewport(width, height);
      await openRoom(kind, {
        playing: { tracks: [aTrack('f'), aTrack('e')], isPlaying: true, controller: 'this tab' },
      });
      if (width === 844) await button('Exit full screen').click();
      await button('Click here to Start Chat').click();
      await expect.element(button('Click here to Return Room')).toBeInViewport({ ratio: 1 });
      await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeInViewport({ ratio: 1 });
      // Beside the stage, the column of the chat scrolls and the window does not.
      if (width > 768) expect(scrollY).toBe(0);
    },
  );

  test.for([
    ['audio', 844, 390],
    ['video', 844, 390],
    ['video', 1280, 500],
  ] as const)(
    'beside each other stage and sidebar scroll, and no %s room of %i x %i px does',
    async ([kind, width, height]) => {
      await page.viewport(width, height);
      await openRoom(kind, { playing: { tracks: [aTrack('f'), aTrack('e')] } });
      if (kind === 'video' && width === 844) await button('Exit full screen').click();
      await shown(button('Invite'));
      await expect.poll(() => document.documentElement.scrollHeight).toBe(height);
    },
  );

  test('while a keyboard of the system covers a part, the open chat ends above it', async () => {
    watchKeyboard();
    await lookOnPhone();
    await openRoom('video');
    await button('Click here to Start Chat').click();
    const field = page.getByRole('textbox', { name: 'Message' });
    await shown(field);
    Object.defineProperty(visualViewport, 'height', { configurable: true, value: innerHeight - 300 });
    visualViewport?.dispatchEvent(new Event('resize'));
    await expect.poll(() => box(field).bottom).toBeLessThanOrEqual(innerHeight - 300);
    Reflect.deleteProperty(visualViewport ?? {}, 'height');
    visualViewport?.dispatchEvent(new Event('resize'));
    await expect.poll(() => box(field).bottom).toBeGreaterThan(innerHeight - 100);
  });

  test('shows that the chat has no messages yet', async () => {
    await openRoom('video');
    await shown(words('Nobody has written yet.'));
  });
});

test.for(['video', 'audio'] as const)(
  'a tablet that is held upright has two columns below what the %s room plays',
  async (kind) => {
    await page.viewport(820, 1180);
    await openRoom(kind, { playing: { tracks: [aTrack('f'), aTrack('e')], isPlaying: true, controller: 'this tab' } });
    const [queue, people] = [
      page.getByRole('heading', { name: 'Queue' }),
      page.getByRole('heading', { name: 'Participants' }),
    ];
    await shown(people);
    const player = box(page.getByRole('region', { name: 'Player' }));
    expect(player.width).toBeGreaterThan(740);
    if (kind === 'video') {
      await shown(queue);
      expect(box(queue).top).toBeGreaterThan(player.bottom);
    }
    expect(box(people).top).toBeGreaterThanOrEqual(player.bottom);
    expect(box(people).left).toBeGreaterThanOrEqual(410);
    for (const key of ['Leave', 'Pause', 'Click here to Start Chat']) {
      await expect.element(button(key)).toBeInViewport({ ratio: 1 });
    }
    expect(document.documentElement.scrollWidth).toBe(820);
    await button('Click here to Start Chat').click();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeInViewport({ ratio: 1 });
    const line = document.querySelector("[data-panel='people']");
    expect(line?.getBoundingClientRect().bottom).toBeLessThanOrEqual(box(button('Click here to Return Room')).top);
  },
);

describe('on a phone on its side', () => {
  const message = () => page.getByRole('textbox', { name: 'Message' });
  const picture = (): DOMRect => box(page.elementLocator(document.querySelector('[data-picture]') ?? document.body));

  async function turned() {
    await lookOnPhone();
    const room = await openRoom('video', {
      playing: { tracks: [aTrack('f'), aTrack('e')], isPlaying: true, controller: 'this tab' },
    });
    await shown(button('Invite'));
    await page.viewport(844, 390);
    await shown(button('Exit full screen'));
    return room;
  }

  test('the film fills the window without a key, until the phone is turned back', async () => {
    await turned();
    expect(picture().height).toBeGreaterThanOrEqual(385);
    await expectAccessible('this');
    await page.viewport(390, 844);
    await shown(button('Invite'));
    expect(picture().width).toBe(390);
  });

  test('a key leads to the whole room and back, and a turn of the phone fills the window again', async () => {
    await turned();
    await button('Exit full screen').click();
    await shown(button('Leave'));
    await button('Full screen').click();
    await shown(button('Exit full screen'));
    await button('Exit full screen').click();
    await shown(button('Leave'));
    await page.viewport(390, 844);
    await shown(button('Invite'));
    await page.viewport(844, 390);
    await shown(button('Exit full screen'));
  });

  test('the chat lies over the film, and beside it above the keyboard of the device', async () => {
    await turned();
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await expect.element(message()).toBeInViewport({ ratio: 1 });
    expect(box(message()).left).toBeGreaterThan(500);
    await message().click();
    expect(document.querySelector('[data-keyboard]')).toBeNull();
    await page.viewport(844, 200);
    await expect.poll(() => picture().right <= box(message()).left).toBe(true);
    await expect.element(message()).toBeInViewport({ ratio: 1 });
  });

  test('an audio room keeps its columns', async () => {
    await page.viewport(844, 390);
    await openRoom('audio', { playing: { tracks: [aTrack('a')], isPlaying: true } });
    await shown(button('Leave'));
    await expect.poll(() => document.querySelector('[data-plates]')).toBeNull();
  });
});

test('in a window with space for a column of chat the chat is open by itself', async () => {
  await page.viewport(1920, 1080);
  await openRoom('video');
  await shown(button('Click here to Return Room'));
});

test('the library opens beside the player of an audio room, and the key in the sidebar closes it again', async () => {
  const totals = { artist: 0, album: 0, genre: 0, playlist: 0, folder: 0, tracks: 0 };
  await openRoom('audio', {
    playing: { tracks: [aTrack('a')] },
    prepare: (server) => server.on('library/groups', () => ok({ totals, groups: [], letters: [] })),
  });
  const sidebar = page.getByRole('complementary', { name: 'Room' });
  const key = sidebar.getByRole('button', { name: 'Library' });
  await key.click();
  await shown(page.getByRole('main').getByText('The library is empty.'));
  await shown(sidebar.getByRole('searchbox', { name: 'Search tracks' }));
  await expect.element(key).toHaveAttribute('aria-expanded', 'true');
  await key.click();
  await gone(words('The library is empty.'));
});

test('beside the library of an audio room stands what comes next, below the player', async () => {
  const totals = { artist: 0, album: 0, genre: 0, playlist: 0, folder: 0, tracks: 0 };
  const tracks = [aTrack('a'), aTrack('b'), aTrack('c')];
  await openRoom('audio', {
    playing: { tracks, index: 1 },
    prepare: (server) => server.on('library/groups', () => ok({ totals, groups: [], letters: [] })),
  });
  await button('Library').click();
  const next = page.getByRole('region', { name: 'Next' });
  await shown(next.getByText('Track c'));
  await gone(next.getByText('Track a'));
  await shown(words('The library is empty.'));
  expect(box(next).top).toBeGreaterThan(box(button('Play')).bottom);
  expect(box(next).right).toBeLessThan(box(words('The library is empty.')).left);
  await lookOnPhone();
  await gone(next);
});

test('beside a long library the line of an audio room stands below the last row', async () => {
  await page.viewport(1280, 600);
  const id = '0'.repeat(16);
  const artist = { id, name: 'Comet Trio', artist: null, year: null, tracks: 9, albums: 1, durationSeconds: null };
  const totals = { artist: 1, album: 0, genre: 0, playlist: 0, folder: 0, tracks: 9 };
  const tracks = Array.from({ length: 9 }, (_, at) => ({
    ...aTrack('a', { title: `Song ${String(at)}`, videoId: `lib_${String(at).padStart(16, '0')}` as VideoId }),
    ...{ name: `Song ${String(at)}`, artist: 'Mara', album: null, server: null, isFilm: false },
  }));
  await openRoom('audio', {
    playing: { tracks: [aTrack('a')] },
    prepare(server) {
      server.on('library/groups', ({ by }) =>
        ok({ totals, groups: by === 'artist' ? [{ ...artist, thumbnail: null }] : [], letters: [] }),
      );
      server.on('library/tracks', () => ok({ total: 9, tracks }));
    },
  });
  await button('Library').click();
  await button(/^Comet Trio/).click();
  const last = button(/^Play Song 8/).first();
  await shown(last);
  const line = page.getByRole('main').element().querySelector('[data-notice-slot]');
  for (let at = last.element().parentElement; at; at = at.parentElement) at.scrollTop = at.scrollHeight;
  await expect.poll(() => (line?.getBoundingClientRect().top ?? 0) - box(last).bottom).toBeGreaterThanOrEqual(0);
});

test('words in the search stay while the chat has its place', async () => {
  await page.viewport(1280, 800);
  await openRoom('video', { playing: { tracks: [aTrack('f')] } });
  await field('Search videos').fill('tea');
  await button('Click here to Start Chat').click();
  await gone(field('Search videos'));
  await button('Search').click();
  await focused(field('Search videos'));
  await expect.element(field('Search videos')).toHaveValue('tea');
});
