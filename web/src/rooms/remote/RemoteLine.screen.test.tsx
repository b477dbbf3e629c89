/** The remote on the pages of the host, of a person who holds it, and of the others. */
import type { Uid, VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom, testRoomCode } from '../../../testing/screens/rooms.ts';

const ada = { uid: uidOf('Ada Okafor'), name: 'Ada Okafor', online: true };
const room = { kind: 'video', code: testRoomCode };
const playing = { tracks: [aTrack('f'), aTrack('e')], isPlaying: true };
const lentTo = (...remoteHolders: Uid[]) => ({ remoteUse: 'lent' as const, remoteHolders });
const asGuest = { isHost: false, guests: [ada], playing: { ...playing, controller: 'another tab' } } as const;

test('the host chooses who may control, lends the remote from a person’s sheet and takes it back', async () => {
  const page1 = await openRoom('video', {
    guests: [ada],
    playing,
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [] }));
      for (const name of ['rooms/set', 'rooms/lendRemote'] as const) stand.on(name, () => ok({}));
    },
  });
  await page
    .getByRole('region', { name: 'Participants' })
    .getByRole('button', { name: /Ada Okafor/ })
    .click();
  await button(/^Lend the remote/).click();
  await expect.poll(() => page1.server.asked('rooms/lendRemote')).toEqual([{ ...room, uid: ada.uid, isLent: true }]);
  page1.tell({ type: 'rooms/set', settings: lentTo(ada.uid) });
  await button('Room settings').click();
  await shown(words('Who may control'));
  await expect.element(page.getByRole('radio', { name: /People I lend it to/ })).toBeChecked();
  await expectAccessible();
  await button('Take back from Ada Okafor').click();
  await expect.poll(() => page1.server.asked('rooms/lendRemote').at(-1)).toMatchObject({ isLent: false });
  await page.getByRole('radio', { name: /Everyone here/ }).click();
  await expect.poll(() => page1.server.asked('rooms/set')).toEqual([{ ...room, settings: { remoteUse: 'everyone' } }]);
  await page.getByRole('switch', { name: /^Friends of people here see that this room plays/ }).click();
  await expect.poll(() => page1.server.asked('rooms/set').at(-1)).toEqual({ ...room, settings: { friendsSee: false } });
});

test('a person who holds the remote has the keys, and loses them with it', async () => {
  const { server, tell, intents } = await openRoom('video', asGuest);
  await shown(page.getByRole('slider', { name: 'Position' }));
  await gone(button('Pause'));
  await shown(button('Vote to skip'));
  await shown(page.getByPlaceholder('Propose a track'));
  tell({ type: 'rooms/set', settings: lentTo(maraUid) });
  await shown(words('You hold the remote'));
  await gone(button('Vote to skip'));
  await gone(page.getByPlaceholder('Propose a track'));
  await shown(page.getByRole('region', { name: 'Participants' }).getByText('Holds the remote'));
  await button('Pause').click();
  await expect.poll(intents).toEqual([{ type: 'pause' }]);
  expect(server.asked('playback/write')).toMatchObject([{ seen: 1 }]);
  await button('Next').click();
  await expect.poll(() => intents().at(-1)).toMatchObject({ type: 'next' });
  await button('Edit').click();
  await shown(button(/^Remove Track e/));
  server.on('rooms/giveRemoteBack', () => ok({}));
  await button('Give back').click();
  await expect.poll(() => server.asked('rooms/giveRemoteBack')).toEqual([room]);
  tell({ type: 'rooms/set', settings: lentTo() });
  await gone(button('Pause'));
  await gone(button(/^Remove Track e/));
});

test('each page reads who pressed, and a press that lost reads what happened instead', async () => {
  const { move } = await openRoom('video', {
    ...asGuest,
    settings: { remoteUse: 'everyone' },
    prepare: (stand) => stand.on('playback/write', () => refused('playback/overtaken')),
  });
  await shown(button('Pause'));
  move({ isPlaying: false, atSeconds: 3, by: ada.uid });
  await shown(words('Ada paused'));
  await expect.element(words('Paused by Ada')).toHaveLength(2);
  await shown(button(/^Play for everybody: Paused by Ada ?at 00:00:03$/));
  await button('Play').click();
  await shown(words('Ada paused, a moment before you'));
  move({ isPlaying: true, by: ada.uid, index: 1 });
  await shown(words('Ada chose Track e'));
});

test('the status line of an audio room stays beside who pressed last', async () => {
  const { move } = await openRoom('audio', { guests: [ada], playing, settings: { remoteUse: 'everyone' } });
  await shown(button('Pause'));
  move({ isPlaying: false, atSeconds: 3, by: ada.uid });
  await expect
    .poll(() => document.querySelector('[data-notice-slot]')?.textContent)
    .toMatch(/^Paused 00:03 \/ 02:00Ada pressed last/);
});

test('the host takes the remote back with one press, by name or from all', async () => {
  const { server, move, tell } = await openRoom('video', {
    guests: [ada],
    playing,
    settings: lentTo(ada.uid),
    prepare: (stand) => {
      for (const name of ['rooms/set', 'rooms/lendRemote'] as const) stand.on(name, () => ok({}));
    },
  });
  await shown(button('Pause'));
  move({ isPlaying: true, atSeconds: 30, by: ada.uid });
  await button('Take the remote back').click();
  await expect.poll(() => server.asked('rooms/lendRemote')).toEqual([{ ...room, uid: ada.uid, isLent: false }]);
  await expectAccessible();
  tell({ type: 'rooms/set', settings: { remoteUse: 'everyone', remoteHolders: [] } });
  await button('Take the remote back').click();
  await expect.poll(() => server.asked('rooms/set')).toEqual([{ ...room, settings: { remoteUse: 'host' } }]);
});

test('what a person with the remote presses in YouTube’s frame is for all; without it, for their device alone', async () => {
  await commands.serveYouTube({});
  const video = aTrack('a', { videoId: 'dQw4w9WgXcQ' as VideoId, title: 'Velvet Hour' });
  const { intents, move, tell } = await openRoom('video', {
    ...asGuest,
    playing: { ...asGuest.playing, tracks: [video] },
    settings: lentTo(maraUid),
  });
  // A start by the page that is not finished may undo it.
  const pauseInFrame = (): void => {
    if (window.fakeYouTube?.state() === 1) window.fakeYouTube.touch('pause');
  };
  await expect.poll(() => (pauseInFrame(), intents())).toEqual([{ type: 'pause' }]);
  await gone(words('Paused on this device'));
  move({ isPlaying: false, atSeconds: 5, by: maraUid });
  await expect
    .poll(() => {
      if (window.fakeYouTube?.state() === 2) window.fakeYouTube.touch('play');
      return intents().at(-1);
    })
    .toEqual({ type: 'play' });
  move({ isPlaying: true, atSeconds: 5, by: maraUid });
  const presses = intents().length;
  tell({ type: 'rooms/set', settings: lentTo() });
  await gone(button('Pause'));
  await expect.poll(() => (pauseInFrame(), words('Paused on this device').query())).not.toBeNull();
  expect(intents()).toHaveLength(presses);
});

test('a seek that is under way when the remote is taken back goes nowhere, and the bar shows the room again', async () => {
  const { intents, tell } = await openRoom('video', {
    ...asGuest,
    playing: { ...asGuest.playing, isPlaying: false, atSeconds: 12 },
    settings: lentTo(maraUid),
  });
  const bar = page.getByRole('slider', { name: 'Seek' });
  await shown(bar);
  const element = bar.element() as HTMLInputElement;
  element.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, '40');
  element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await expect.poll(() => element.valueAsNumber).toBe(40);
  tell({ type: 'rooms/set', settings: lentTo() });
  await expect.poll(() => element.disabled).toBe(true);
  await expect.poll(() => element.valueAsNumber).toBe(12);
  element.dispatchEvent(new Event('change', { bubbles: true }));
  expect(intents()).toEqual([]);
});
