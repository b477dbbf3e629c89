import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { letThingsMove, lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, shown } from '../../../testing/screens/find.ts';
import { aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const song = aTrack('a', { title: 'Walking Home', durationSeconds: 125 });
const item = (letter: string) => ({ ...aTrack(letter), source: 'library' as const });
const openAudio = (visit: RoomVisit = {}) => openRoom('audio', { playing: { tracks: [song] }, ...visit });
const player = (): Locator => page.getByRole('region', { name: 'Player' });
const suggested = (): Locator => page.getByRole('region', { name: 'Suggested' });
const results = (): Locator => page.getByRole('region', { name: 'Search Results' });
const levelBar = (): Element | null => player().element().querySelector('[class*="level"]');

test("before the first track it says 'Paused' with no time, and nothing can be played", async () => {
  await openAudio({ playing: {} });
  await shown(player().getByText('No music selected'));
  await shown(player().getByText('Paused'));
  await expect.element(player()).toMatchTextContent(/00:00 \/ 00:00/);
  await expect.element(button('Play')).toBeDisabled();
  await expectAccessible();
});

test("has a status line 'Playing' or 'Paused' with elapsed / total time as mm:ss, and a level bar that moves with it", async () => {
  const room = await openAudio({ playing: { tracks: [song], atSeconds: 65 } });
  await expect.element(player()).toMatchTextContent(/Paused 01:05 \/ 02:05/);
  expect(levelBar()?.className).toMatch(/paused/);
  expect(levelBar()?.children).toHaveLength(40);
  room.move({ isPlaying: true, atSeconds: 65 });
  await expect.element(player()).toMatchTextContent(/Playing 01:0\d \/ 02:05/);
  expect(levelBar()?.className).not.toMatch(/paused/);
  await shown(button('Pause'));
  await expectAccessible();
});

test('the time goes on while it plays', async () => {
  await openAudio({ playing: { tracks: [song], isPlaying: true, atSeconds: 10 } });
  await expect.element(player()).toMatchTextContent(/Playing 00:1[2-9] \/ 02:05/);
});

test('the host plays, pauses and seeks; a guest can do neither by keyboard nor pointer', async () => {
  const room = await openAudio({ playing: { tracks: [song], atSeconds: 30 } });
  await button('Play').click();
  await expect.poll(room.intents).toEqual([{ type: 'play' }]);
  (page.getByRole('slider', { name: 'Seek' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek' });
});

test('a drag of the pointer seeks once, when it is let go', async () => {
  const room = await openAudio({ playing: { tracks: [song] } });
  const seek = page.getByRole('slider', { name: 'Seek' });
  await expect.element(seek).toBeEnabled();
  await userEvent.pointer([
    { target: seek, coords: { x: 4, y: 4 }, keys: '[MouseLeft>]' },
    { target: seek, coords: { x: 60, y: 4 } },
    { target: seek, coords: { x: 120, y: 4 } },
    '[/MouseLeft]',
  ]);
  await expect.poll(() => room.intents().filter(({ type }) => type === 'seek').length).toBe(1);
});

test('a drag of the pointer that returns to where it began leaves the bar to the music', async () => {
  const room = await openAudio({ playing: { tracks: [song] } });
  const seek = page.getByRole('slider', { name: 'Seek' });
  await expect.element(seek).toBeEnabled();
  await userEvent.pointer([
    { target: seek, coords: { x: 0, y: 4 }, keys: '[MouseLeft>]' },
    { target: seek, coords: { x: 120, y: 4 } },
    { target: seek, coords: { x: 0, y: 4 } },
    '[/MouseLeft]',
  ]);
  room.move({ isPlaying: false, atSeconds: 60 });
  await expect.element(player()).toMatchTextContent(/01:00 \/ 02:05/);
  await expect.element(seek).toHaveValue('60');
});

test('what was begun on the seek bar of one track goes nowhere in the next one', async () => {
  const next = aTrack('b');
  const room = await openAudio({ playing: { tracks: [song, next], atSeconds: 100 } });
  const seek = page.getByRole('slider', { name: 'Seek' });
  await expect.element(seek).toBeEnabled();
  const seeks = () => room.intents().flatMap((intent) => (intent.type === 'seek' ? [intent] : []));
  const turn = { type: 'playback/moved', isPlaying: false, currentTime: 0, updatedAt: 1 } as const;
  (seek.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(seeks).toMatchObject([{ videoId: song.videoId, currentTime: 105 }]);
  room.tell({ ...turn, revision: 2, currentIndex: 1 });
  await expect.element(player()).toMatchTextContent(/00:00 \/ 02:00/);
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => seeks().at(-1)).toMatchObject({ videoId: next.videoId, currentTime: 5 });
  const before = seeks().length;
  // In the middle of a drag.
  seek.element().addEventListener('input', () => room.tell({ ...turn, revision: 3, currentIndex: 0 }), { once: true });
  await userEvent.pointer([
    { target: seek, coords: { x: 4, y: 4 }, keys: '[MouseLeft>]' },
    { target: seek, coords: { x: 16, y: 4 } },
    { target: seek, coords: { x: 30, y: 4 } },
    '[/MouseLeft]',
  ]);
  await expect.element(player()).toMatchTextContent(/00:00 \/ 02:05/);
  expect(seeks().slice(before)).toEqual([]);
});

test("lists what is 'Suggested' after the track, and the host plays one", async () => {
  const room = await openAudio({
    prepare: (server) =>
      server.on('catalogue/suggest', () => ok({ status: 'ok', items: ['b', 'c', 'd', 'e', '1'].map(item) })),
  });
  await shown(suggested().getByText('Track b'));
  expect(suggested().getByRole('listitem').length).toBe(5);
  await expectAccessible('all');
  await suggested().getByRole('button', { name: 'Track c' }).click();
  await expect
    .poll(() => room.intents().at(-1))
    .toMatchObject({ type: 'choose', track: { videoId: aTrack('c').videoId, title: 'Track c' } });
  expect(room.server.asked('catalogue/suggest').at(-1)).toMatchObject({ kind: 'audio', videoId: song.videoId });
});

test('a guest sees what is suggested, and cannot choose', async () => {
  await openAudio({
    isHost: false,
    prepare: (server) => server.on('catalogue/suggest', () => ok({ status: 'ok', items: [item('b')] })),
  });
  await shown(suggested().getByText('Track b'));
  await gone(suggested().getByRole('button', { name: 'Track b' }));
  await expectAccessible();
});

test("says 'No suggestions' when there are none", async () => {
  await openAudio();
  await shown(suggested().getByText('No suggestions'));
});

test("searching shows 'Search Results' with a Cancel, and after a failure two marked samples", async () => {
  await openAudio({
    prepare: (server) => server.on('catalogue/search', () => ok({ status: 'samples', items: [item('c'), item('d')] })),
  });
  await field('Search tracks').fill('tea');
  await button('Search').click();
  await shown(results().getByText('The search did not answer. Two tracks of the library instead:'));
  expect(results().getByRole('listitem').length).toBe(2);
  await expectAccessible();
  await results().getByRole('button', { name: 'Cancel' }).click();
  await gone(results());
});

test('the search bar disappears while the chat is open, and on a phone the player becomes a strip', async () => {
  await lookOnPhone();
  await openAudio();
  await shown(field('Search tracks'));
  await button('Click here to Start Chat').click();
  await gone(field('Search tracks'));
  await expect.poll(() => player().element().className).toMatch(/compact/);
  await expectAccessible();
});

test('shows the picture of the track, and the cover of the room when the picture fails to load', async () => {
  const pictured = { ...song, thumbnail: '/icon-192.png' };
  const room = await openAudio({ playing: { tracks: [pictured] } });
  await expect.poll(() => player().element().querySelector('img')?.naturalWidth).toBe(192);
  room.replace({ ...song, thumbnail: 'data:image/png;base64,AAAA' });
  await expect.poll(() => player().element().querySelector('img')).toBeNull();
});

test('a title longer than its place scrolls', async () => {
  await letThingsMove();
  const title = 'A title that is far longer than the place it has '.repeat(4).trim();
  await openAudio({ playing: { tracks: [{ ...song, title }] } });
  await expect
    .poll(() => player().getByText(title).first().element().closest('[class*="marquee"]')?.className)
    .toMatch(/overflows/);
  // A second one would have the region announced again, whenever the place becomes too narrow.
  expect(player().getByText(title).elements()).toHaveLength(1);
  const line = player().getByText(title).element().parentElement;
  expect(line && getComputedStyle(line, '::after').content).toContain(title);
  await expectAccessible();
});

test('the badge shows how many milliseconds this player is off', async () => {
  await openAudio({ isHost: false, playing: { tracks: [song], isPlaying: true, controller: 'another tab' } });
  await expect.element(page.getByTestId('sync-badge')).toMatchTextContent(/^±[\d.]+ (?:ms|s)$/);
});

test("the badge shows 'about' for a track in a format that browsers seek inexactly", async () => {
  await lookOnPhone();
  const inMp3 = aTrack('e', { title: 'Walking Home' });
  await openAudio({ isHost: false, playing: { tracks: [inMp3], isPlaying: true, controller: 'another tab' } });
  await expect.element(page.getByTestId('sync-badge')).toMatchTextContent(/^about ±[\d.]+ (?:ms|s)$/);
  await expectAccessible();
});
