import type { Lyrics } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { sentences } from '../../words/errors.ts';
import { aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const timed: Lyrics = {
  type: 'timed',
  lines: [
    { atSeconds: 2, text: 'I walk along the water' },
    { atSeconds: 30, text: 'and count the lights' },
    { atSeconds: 60, text: '' },
    { atSeconds: 70, text: '<b>Nobody else</b> is here' },
  ],
};
const song = aTrack('a', { title: 'Walking Home', durationSeconds: 125 });
const openWith = (lyrics: Lyrics | null, visit: RoomVisit = {}) =>
  openRoom('audio', {
    playing: { tracks: [song] },
    ...visit,
    prepare: (server) => server.on('library/lyrics', () => ok({ lyrics })),
  });
const current = () =>
  page
    .getByRole('listitem')
    .elements()
    .find((each) => each.ariaCurrent === 'true');
const line = (text: string) => page.getByRole('listitem').filter({ hasText: text });

test('the words follow the room, with the current line marked; markup in them is text', async () => {
  const room = await openWith(timed, {
    isHost: false,
    playing: { tracks: [song], atSeconds: 31, controller: 'another tab' },
  });
  await button('Words').click();
  await expect.element(button('Words')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => current()?.textContent).toBe('and count the lights');
  await shown(words('<b>Nobody else</b> is here'));
  await expectAccessible('all');
  room.move({ isPlaying: false, atSeconds: 1 });
  await expect.poll(current).toBeUndefined();
  room.move({ isPlaying: true, atSeconds: 69.5 });
  await expect.poll(() => current()?.textContent).toBe('<b>Nobody else</b> is here');
  await gone(button('and count the lights'));
  await button('Cover').click();
  await gone(line('and count the lights'));
});

test('the words stand beside the cover, and begin within the first screen', async () => {
  await openWith(timed, { playing: { tracks: [song], atSeconds: 31 } });
  await button('Words').click();
  await shown(line('and count the lights'));
  const box = page.getByRole('region', { name: 'Words of this track' }).element().getBoundingClientRect();
  const cover = document.querySelector('main [class*="sleeve"]')?.getBoundingClientRect();
  expect(box.left).toBeGreaterThan(cover?.right ?? Number.NaN);
  expect(box.top).toBeLessThan(cover?.bottom ?? Number.NaN);
  expect(box.height).toBeGreaterThan(400);
});

test('a press on a line seeks for the host, also with the arrow keys', async () => {
  const room = await openWith(timed, { playing: { tracks: [song], atSeconds: 31 } });
  await button('Words').click();
  await button('I walk along the water').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek', currentTime: 2 });
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await focused(button('<b>Nobody else</b> is here'));
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek', currentTime: 70 });
});

test('words that a hand has moved stay until the song is followed again', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => ({ atSeconds: at * 4, text: `line ${String(at)}.` }));
  const playing = { tracks: [song], atSeconds: 41, controller: 'another tab' } as const;
  const room = await openWith({ type: 'timed', lines }, { isHost: false, playing });
  await button('Words').click();
  await expect.poll(() => current()?.textContent).toBe('line 10.');
  const list = line('line 10.').element().parentElement;
  const at = () => list?.scrollTop ?? 0;
  await expect.poll(at).toBeGreaterThan(0);
  await gone(button('Follow the song'));
  list?.dispatchEvent(new WheelEvent('wheel'));
  await shown(button('Follow the song'));
  await expectAccessible('all');
  list?.scrollTo({ top: 0, behavior: 'instant' });
  room.move({ isPlaying: true, atSeconds: 81 });
  await expect.poll(() => current()?.textContent).toBe('line 20.');
  expect(at()).toBe(0);
  await button('Follow the song').click();
  await gone(button('Follow the song'));
  await expect.poll(at).toBeGreaterThan(0);
});

test('words without times are shown as such, and no user can seek by them', async () => {
  await openWith({ type: 'plain', lines: ['First words', '', 'Last words'] });
  await button('Words').click();
  await shown(words(/These words have no times/));
  await shown(words('Last words'));
  await gone(button('First words'));
  await expectAccessible('all');
});

test('a track without words has no button, and an open view says so after a change of track', async () => {
  const room = await openWith(null);
  await expect.poll(() => room.server.asked('library/lyrics')).toHaveLength(1);
  await gone(button('Words'));
  room.server.on('library/lyrics', () => ok({ lyrics: timed }));
  room.replace(aTrack('b'));
  await button('Words').click();
  await shown(line('and count the lights'));
  room.server.on('library/lyrics', () => ok({ lyrics: null }));
  room.replace(aTrack('c'));
  await shown(words('This track has no words to show.'));
  await button('Cover').click();
  await gone(button('Words'));
});

test('an open view whose words are refused says so', async () => {
  const room = await openWith(timed);
  await button('Words').click();
  await shown(line('and count the lights'));
  room.server.on('library/lyrics', () => refused('access/forbidden'));
  room.replace(aTrack('b'));
  await shown(page.getByRole('region', { name: 'Words of this track' }).getByText(sentences['access/forbidden']));
});

test('while the answer is awaited nothing is said, and one lost with the line is asked for again', async () => {
  const room = await openWith(timed);
  await button('Words').click();
  room.server.on('library/lyrics', () => refused('server/unavailable'));
  room.replace(aTrack('b'));
  await expect.poll(() => room.server.asked('library/lyrics').length).toBeGreaterThan(2);
  await gone(words('This track has no words to show.'));
  room.server.on('library/lyrics', () => ok({ lyrics: timed }));
  await shown(line('and count the lights'));
});

test('on a phone the words take the place of the player, and leave it while the chat is open', async () => {
  await lookOnPhone();
  await openWith(timed, { playing: { tracks: [song], atSeconds: 31 } });
  const player = page.getByRole('region', { name: 'Player' });
  await shown(player);
  const cover = () => player.element().querySelector('[class*="sleeve"]')?.getBoundingClientRect();
  expect(cover()?.width).toBeGreaterThan(150);
  await shown(button('Words'));
  // Out from under the bar that stays at the foot of the window.
  button('Words').element().scrollIntoView({ block: 'center' });
  await button('Words').click();
  await shown(line('and count the lights'));
  expect(cover()).toMatchObject({ width: 60, left: 16 });
  // A key that has scrolled half below the bar is no small key.
  window.scrollTo(0, 0);
  await expectAccessible('all');
  await button(/Click here to Start Chat/).click();
  await gone(line('and count the lights'));
});
