/** The line at the foot of what plays: the room's state, this device's step, the first moment, and notices in its place. */
import { roomKinds } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, type Locator, userEvent } from 'vitest/browser';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, type FakeServer } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom, untilHeard } from '../../../testing/screens/rooms.ts';

const ada = { uid: uidOf('Ada'), name: 'Ada', online: true };
const film = aTrack('f');
const line = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('[data-notice-slot]');
  if (found === null) throw new Error('no line');
  return found;
};
const isInside = (inner: Locator): boolean => line().contains(inner.element());

test('a film says whether it plays or is paused, for how many people', async () => {
  const room = await openRoom('video', { guests: [ada], playing: { tracks: [film], atSeconds: 20 } });
  await shown(page.getByText('for 2 people'));
  expect(line().textContent).toMatch(/^Paused/);
  await shown(button(/^Play for everybody: Paused ?at 00:00:20$/));
  await expectAccessible('all');
  await button(/^Play for everybody/).click();
  await expect.poll(room.intents).toEqual([{ type: 'play' }]);
  room.move({ isPlaying: true, atSeconds: 20 });
  await gone(button(/^Play for everybody/));
  expect(line().textContent).toMatch(/^Playing/);
});

test('a guest reads that a paused film goes on by itself, and has no key for it', async () => {
  await openRoom('video', { isHost: false, playing: { tracks: [film], controller: 'another tab' } });
  await shown(words('It goes on here by itself.'));
  await gone(button(/^Play for everybody/));
});

const queued = (server: FakeServer): void => {
  server.on('catalogue/search', () => ok({ status: 'ok', items: [{ ...aTrack('c'), source: 'library' as const }] }));
};

test.for(roomKinds)('a toast in a %s room stands in the line and covers no field or row', async (kind) => {
  await lookOnPhone();
  await openRoom(kind, { playing: { tracks: [film, aTrack('b')] }, prepare: queued });
  await field(kind === 'video' ? 'Search videos' : 'Search tracks').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Add Track c to the queue').click();
  const toast = words('In the queue').first();
  await shown(toast);
  expect(isInside(toast)).toBe(true);
});

test('a notice that stands in the line is read out once, though another one comes in a sheet above it', async () => {
  const read: string[] = [];
  using recorder = new DisposableStack();
  const observer = new MutationObserver((changes) => {
    read.push(changes.flatMap(({ addedNodes }) => [...addedNodes].map(({ textContent }) => textContent)).join());
  });
  observer.observe(document.body, { childList: true, subtree: true });
  recorder.defer(() => observer.disconnect());
  const times = (text: string): number => read.filter((added) => added.includes(text)).length;

  await openRoom('video', { playing: { tracks: [film, aTrack('b')] } });
  await button('Code').click();
  await shown(words('Room Code copied to clipboard!'));
  await button('Invite').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy Link' }).click();
  await shown(words('Room link copied to clipboard!'));
  expect([times('Room Code copied to clipboard!'), times('Room link copied to clipboard!')]).toEqual([1, 1]);
});

test('a removed current track has its Undo in the line', async () => {
  const room = await openRoom('video', { playing: { tracks: [film, aTrack('b')], isPlaying: true, atSeconds: 30 } });
  await button('Edit').click();
  await button('Remove Track f').click();
  room.edit({ type: 'removed', index: 0 });
  await shown(words('Track f removed'));
  expect(isInside(words('Track f removed'))).toBe(true);
  // The focus holds it while it is looked at.
  (button('Undo').element() as HTMLElement).focus();
  await expectAccessible('this');
  await button('Undo').click();
  await expect
    .poll(room.intents)
    .toMatchObject([{ type: 'remove' }, { type: 'enqueue', isNext: true }, { type: 'jump' }, { type: 'move', to: 0 }]);
});

test('a pause of this device stands in the line and moves no key', async () => {
  await openRoom('video', { isHost: false, playing: { tracks: [film], isPlaying: true, controller: 'another tab' } });
  const media = await untilHeard();
  const place = (): number => button('Full screen').element().getBoundingClientRect().top;
  const before = place();
  media.pause();
  await shown(words('Paused on this device'));
  expect(isInside(words('Paused on this device'))).toBe(true);
  expect(place()).toBe(before);
  await expectAccessible('all');
  await button('Back to live').click();
  await gone(words('Paused on this device'));
});

test('on the narrowest screen the figure of this device takes the place of how many people there are', async () => {
  await page.viewport(320, 256);
  const room = await openRoom('video', { guests: [ada], playing: { tracks: [film], atSeconds: 20 } });
  await shown(words('for 2 people'));
  room.move({ isPlaying: true, atSeconds: 20 });
  await shown(button(/^±[\d.]+ (?:ms|s)$/));
  await expect.element(words('for 2 people')).not.toBeVisible();
});

test.for(roomKinds)(
  'the first track of a %s room is a moment: all who are here, and how close this device is',
  async (kind) => {
    const room = await openRoom(kind, { guests: [ada], playing: {} });
    await shown(button('Find a track'));
    room.replace(aTrack('a'));
    await shown(page.getByText('2 people', { exact: true }));
    expect(line().textContent).toContain('Now playing: Track a');
    await gone(page.getByText('2 people', { exact: true }));
    room.move({ isPlaying: true });
    await untilHeard();
    await button(/^±[\d.]+ (?:ms|s)$/).click();
    await shown(button(/^This device ?±[\d.]+ (?:ms|s)$/));
    await shown(page.getByText('2 people', { exact: true }));
    await expectAccessible('all');
  },
);
