import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../screen-tests/accessible.ts';
import { button, gone, heading, shown } from '../../screen-tests/find.ts';
import { aTrack, openRoom } from '../../screen-tests/rooms.ts';

const film = { tracks: [aTrack('f')], isPlaying: true, controller: 'another tab' } as const;
const asGuest = { isHost: false, playing: film };

/** The browser around the tests shows one page in a frame; so what is asked of it is recorded. */
let full: Element | null = null;
function become(element: Element | null): Promise<void> {
  full = element;
  document.dispatchEvent(new Event('fullscreenchange'));
  return Promise.resolve();
}

beforeEach(() => {
  full = null;
  Object.defineProperty(document, 'fullscreenElement', { configurable: true, get: () => full });
  document.exitFullscreen = () => become(null);
  Element.prototype.requestFullscreen = function (this: Element) {
    return become(this);
  };
});
afterEach(() => {
  Reflect.deleteProperty(document, 'fullscreenElement');
  Reflect.deleteProperty(document, 'exitFullscreen');
});

test('PICT-1 full screen by its key, by f and by a double click, with the same player', async () => {
  await openRoom('video', asGuest);
  await shown(heading('Friday Slow Burn'));
  const media = page.getByTestId('player-media').element();
  await button('Full screen').click();
  expect(full?.contains(media)).toBe(true);
  await expect.element(button('Full screen')).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard('f');
  expect(full).toBeNull();
  media.parentElement?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  expect(full?.contains(media)).toBe(true);
  expect(page.getByTestId('player-media').element()).toBe(media);
  await expectAccessible();
});

test('PICT-1 f is a letter while somebody types, and another screen ends full screen', async () => {
  await openRoom('video', asGuest);
  await button('Click here to Start Chat').click();
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await userEvent.keyboard('f');
  expect(full).toBeNull();
  await button('Full screen').click();
  expect(full).not.toBeNull();
  history.pushState(null, '', '/chats');
  await expect.poll(() => full).toBeNull();
});

test('PICT-2 a film of the library goes into a window of its own, a song does not', async () => {
  let asked = 0;
  HTMLVideoElement.prototype.requestPictureInPicture = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const room = await openRoom('video', asGuest);
  await button('Picture in picture').click();
  expect(asked).toBe(1);
  room.replace(aTrack('a'));
  await gone(button('Picture in picture'));
});
