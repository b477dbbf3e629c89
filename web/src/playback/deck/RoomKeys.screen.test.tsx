import { roomKinds } from '@tunemate/protocol';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { setLetterKeys } from '../../ui/letter-keys.ts';
import { aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const two = { tracks: [aTrack('f'), aTrack('a')], atSeconds: 30 } as const;
const asGuest: RoomVisit = { isHost: false, playing: { ...two, controller: 'another tab' } };
const volume = () => page.getByRole('slider', { name: 'Volume' });

// The page remembers that it was muted.
afterEach(async () => {
  setLetterKeys(true);
  if (button('Unmute').query() !== null) await button('Unmute').click();
});

/** The code of the keys is loaded after the room; presses before are lost. */
async function askForKeys(): Promise<void> {
  await shown(button('Mute'));
  await expect
    .poll(async () => {
      if (document.querySelector('dialog[open]') === null) await userEvent.keyboard('?');
      return modal('Keys').query();
    })
    .not.toBeNull();
}

async function keysAreThere(): Promise<void> {
  await askForKeys();
  await userEvent.keyboard('{Escape}');
  await gone(modal('Keys'));
}

test.for(roomKinds)('the host of a room of kind %s plays by keys', async (kind) => {
  const room = await openRoom(kind, { playing: two });
  await keysAreThere();
  await userEvent.keyboard(' ');
  await expect.poll(room.intents).toEqual([{ type: 'play' }]);
  room.move({ isPlaying: false, atSeconds: 30 });
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek', currentTime: 35 });
  room.move({ isPlaying: false, atSeconds: 35 });
  await userEvent.keyboard('5');
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'seek', currentTime: 60 });
  await userEvent.keyboard('m');
  await shown(button('Unmute'));
  await userEvent.keyboard('{ArrowDown}');
  await shown(button('Mute'));
  const before = (volume().element() as HTMLInputElement).valueAsNumber;
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => (volume().element() as HTMLInputElement).valueAsNumber).toBeLessThan(before);
});

test.for(roomKinds)('next and previous are keys in a room of kind %s', async (kind) => {
  const room = await openRoom(kind, { playing: two });
  await keysAreThere();
  await userEvent.keyboard('np');
  await expect.poll(room.intents).toMatchObject([{ type: 'next' }, { type: 'previous' }]);
});

test('a guest’s keys change nothing for others', async () => {
  const room = await openRoom('video', asGuest);
  await keysAreThere();
  await userEvent.keyboard(' kjlnp5{ArrowLeft}m');
  await shown(button('Unmute'));
  expect(room.intents()).toEqual([]);
});

test('letters, digits and signs do nothing where they are switched off; Space and arrows do', async () => {
  const room = await openRoom('video', { playing: two });
  await keysAreThere();
  setLetterKeys(false);
  await userEvent.keyboard('knpm5?');
  await userEvent.keyboard('{ArrowRight} ');
  await expect.poll(room.intents).toMatchObject([{ type: 'seek', currentTime: 35 }, { type: 'play' }]);
  await shown(button('Mute'));
  await gone(modal('Keys'));
});

test('keys do nothing while the user types, and go to a focused control that uses them', async () => {
  const room = await openRoom('video', { playing: two });
  await keysAreThere();
  await button('Click here to Start Chat').click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.click();
  await userEvent.keyboard('mk ?1');
  await expect.element(message).toHaveValue('mk ?1');
  await gone(modal('Keys'));
  (button('Mute').element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await shown(button('Unmute'));
  expect(room.intents()).toEqual([]);
});

test('`?` shows the keys of the host, and returns the focus', async () => {
  await openRoom('video', { playing: two });
  await shown(button('Mute'));
  (button('Mute').element() as HTMLElement).focus();
  await askForKeys();
  await shown(words('Play or pause'));
  await expectAccessible('all');
  await userEvent.keyboard('m');
  await button('Close').click();
  await gone(modal('Keys'));
  await expect.element(button('Mute')).toHaveFocus();
});

test('`?` shows a guest which keys are theirs', async () => {
  await openRoom('audio', { ...asGuest });
  await askForKeys();
  await shown(modal('Keys').getByRole('heading', { name: 'Only the host’s' }));
  await gone(words('Full screen'));
  await expectAccessible();
});
