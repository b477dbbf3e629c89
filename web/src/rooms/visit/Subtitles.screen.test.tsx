import type { VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const film = { tracks: [aTrack('f')], isPlaying: true, controller: 'another tab' } as const;
const files = [
  { id: 'a'.repeat(16), language: 'de', label: null },
  { id: 'b'.repeat(16), language: 'pt-BR', label: null },
  { id: 'c'.repeat(16), language: null, label: 'Commentary' },
];
const withFiles: RoomVisit = {
  isHost: false,
  playing: film,
  prepare: (server) => server.on('library/subtitles', () => ok({ subtitles: files })),
};
const row = (name: string) => page.getByRole('radio', { name });
const sentence = () => words(/I kept the window open/);

test('the menu shows Off and each file by its language; subtitles appear over the picture and disappear', async () => {
  await openRoom('video', withFiles);
  await button('Subtitles').click();
  await focused(row('Off'));
  await expect.element(row('Off')).toBeChecked();
  await shown(row('Deutsch'));
  await shown(row('Commentary'));
  await expectAccessible('all');
  await row('Português (Brasil)').click();
  await shown(sentence());
  expect(sentence().element().closest('[lang]')?.getAttribute('lang')).toBe('pt-BR');
  await row('Off').click();
  await gone(sentence());
});

test('the choice is kept for the next visit, and the menu closes by Escape and by a press elsewhere', async () => {
  await openRoom('video', withFiles);
  await button('Subtitles').click();
  await row('Deutsch').click();
  await userEvent.keyboard('{Escape}');
  await gone(row('Deutsch'));
  await focused(button('Subtitles'));
  expect(localStorage.getItem('tunemate/subtitles')).toContain('de');
  await button('Subtitles').click();
  await shown(row('Deutsch'));
  (button('Mute').element() as HTMLElement).focus();
  await gone(row('Deutsch'));
  await button('Subtitles').click();
  await row('Off').click();
  await gone(sentence());
});

test('a film without subtitles, a song, and a film whose subtitles are not known have no button', async () => {
  const room = await openRoom('video', { ...withFiles, prepare: () => undefined });
  const askedOf = () => room.server.asked('library/subtitles').map(({ videoId }) => videoId);
  await expect.poll(askedOf).toContain(aTrack('f').videoId);
  await shown(button('Full screen'));
  await gone(button('Subtitles'));
  room.server.on('library/subtitles', () => refused('server/unavailable'));
  const other = `lib_f${'0'.repeat(15)}` as VideoId;
  room.replace(aTrack('f', { videoId: other }));
  await expect.poll(askedOf).toContain(other);
  await gone(button('Subtitles'));
});
