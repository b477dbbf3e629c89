import { expect, test } from 'vitest';
import type { VideoId } from '@tunemate/protocol';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, gone, shown, words } from '../../../testing/screens/find.ts';
import { withFullScreen } from '../../../testing/screens/full-screen.ts';
import { aRoomMessage, aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

withFullScreen();

const playing = { tracks: [aTrack('f'), aTrack('a')], isPlaying: true, controller: 'this tab' } as const;

async function inFull(visit: RoomVisit = {}) {
  const room = await openRoom('video', { playing, ...visit });
  await button('Full screen').click();
  await shown(button('Exit full screen'));
  const write = (number: number, text: string) =>
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(number, { text }) });
  return { ...room, write };
}

const boxOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect();
const passing = () => document.querySelector('[data-passing]');

test('in full screen what others write passes over the film, three lines at most, and the chat counts it', async () => {
  const { write } = await inFull({ messages: [aRoomMessage(1, { text: 'from before' })] });
  await expect.poll(passing).not.toBeNull();
  for (const [number, text] of ['one', 'two', '@Mara three', 'four'].entries()) write(number + 2, text);
  await expect.poll(() => passing()?.textContent).toMatch(/two.*@Mara three.*four/);
  expect(passing()?.textContent).not.toMatch(/one|from before/);
  await shown(button('Chat, 4 new'));
  expect(boxOf(passing()).bottom).toBeLessThan(boxOf(document.querySelector('main > :has(> [data-plates])')).top);
  await expectAccessible('this');
  await expect.poll(() => passing()?.textContent).toBe('');
  await button('Chat, 4 new').click();
  await shown(words('from before'));
  await shown(page.getByRole('button', { name: 'Chat', exact: true }));
});

test('on an upright phone the lines pass below the picture; over a video of YouTube none pass', async () => {
  await commands.serveYouTube({});
  const { write, replace } = await inFull();
  await page.viewport(390, 844);
  write(2, 'look at this');
  await expect.poll(() => passing()?.textContent).toContain('look at this');
  const picture = boxOf(document.querySelector('[data-picture]'));
  await expect.poll(() => boxOf(passing()).top).toBeGreaterThanOrEqual(picture.bottom);
  await page.viewport(1280, 800);
  replace(aTrack('f', { videoId: 'dQw4w9WgXcQ' as VideoId }));
  await expect.poll(() => document.querySelector('[data-picture=youtube]')).not.toBeNull();
  expect(boxOf(passing()).height).toBe(0);
  await shown(button('Chat, 1 new'));
});

test('in full screen subtitles stay above the controls, also while these show the queue', async () => {
  const files = [{ id: 'a'.repeat(16), language: 'de', label: null }];
  await page.viewport(1280, 800);
  await inFull({
    prepare: (server) => server.on('library/subtitles', () => ok({ subtitles: files })),
  });
  await button('Subtitles').click();
  await page.getByRole('radio', { name: 'Deutsch' }).click();
  await userEvent.keyboard('{Escape}');
  const sentence = words(/I kept the window open/);
  await shown(sentence);
  const isAbove = () =>
    boxOf(sentence.element()).bottom <= boxOf(document.querySelector('main > :has(> [data-plates])')).top;
  await expect.poll(isAbove).toBe(true);
  await button(/^Up next/).click();
  await expect.poll(isAbove).toBe(true);
  await button(/^Up next/).click();
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  const chat = () => boxOf(document.querySelector('[data-panel=chat]'));
  await expect.poll(() => boxOf(sentence.element()).right <= chat().left).toBe(true);
  await gone(button(/^Chat, /));
  // The page keeps the choice for the films of the tests that follow.
  await button('Subtitles').click();
  await page.getByRole('radio', { name: 'Off' }).click();
  await gone(sentence);
});
