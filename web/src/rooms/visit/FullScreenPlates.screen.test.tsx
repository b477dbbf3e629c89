import { expect, onTestFinished, test, vi } from 'vitest';
import type { VideoId } from '@tunemate/protocol';
import { commands, page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, focused, gone, heading, shown } from '../../../testing/screens/find.ts';
import { fullElement, withFullScreen } from '../../../testing/screens/full-screen.ts';
import { aRequest, aTrack, openRoom, untilHeard } from '../../../testing/screens/rooms.ts';
import { navigate } from '../../store/address.ts';

const film = { tracks: [aTrack('f')], isPlaying: true, controller: 'another tab' } as const;
const asGuest = { isHost: false, playing: film };

withFullScreen();

/** From now on three seconds without input pass at once when the test says so. */
function withMovedClock(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.advanceTimersByTime(3000);
}

/** Enters or leaves full screen by its key. The code of the keys is loaded after the room; presses before are lost. */
async function pressF(): Promise<void> {
  const before = fullElement();
  await expect
    .poll(async () => {
      if (fullElement() === before) await userEvent.keyboard('f');
      return fullElement();
    })
    .not.toBe(before);
}

test('full screen by its key, by f and by a double click, with the same player', async () => {
  await openRoom('video', asGuest);
  await shown(heading('Friday Slow Burn'));
  const media = page.getByTestId('player-media').element();
  await button('Full screen').click();
  expect(fullElement()?.contains(media)).toBe(true);
  await focused(exit());
  await gone(button('Full screen'));
  await pressF();
  expect(fullElement()).toBeNull();
  media.parentElement?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  expect(fullElement()?.contains(media)).toBe(true);
  expect(page.getByTestId('player-media').element()).toBe(media);
  await expectAccessible();
});

test('f does nothing while the user types, and another screen ends full screen', async () => {
  await openRoom('video', asGuest);
  await button('Click here to Start Chat').click();
  await page.getByRole('textbox', { name: 'Message' }).fill('');
  await userEvent.keyboard('f');
  expect(fullElement()).toBeNull();
  await button('Full screen').click();
  expect(fullElement()).not.toBeNull();
  navigate('/chats');
  await expect.poll(fullElement).toBeNull();
});

test('a film of the library opens in its own window, a song does not', async () => {
  let asked = 0;
  vi.spyOn(HTMLVideoElement.prototype, 'requestPictureInPicture').mockImplementation(() => {
    asked += 1;
    return new Promise(() => undefined);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const room = await openRoom('video', asGuest);
  await button('Picture in picture').click();
  expect(asked).toBe(1);
  room.replace(aTrack('a'));
  await gone(button('Picture in picture'));
});

test('while a film is in its own window the frame shows that, and can bring it back', async () => {
  let out: Element | null = null;
  const move = (video: Element | null, name: 'enter' | 'leave', from = out): Promise<void> => {
    out = video;
    (video ?? from)?.dispatchEvent(new Event(`${name}pictureinpicture`, { bubbles: true }));
    return Promise.resolve();
  };
  Object.defineProperty(document, 'pictureInPictureElement', { configurable: true, get: () => out });
  document.exitPictureInPicture = () => move(null, 'leave');
  vi.spyOn(HTMLVideoElement.prototype, 'requestPictureInPicture').mockImplementation(async function enter(
    this: HTMLVideoElement,
  ) {
    await move(this, 'enter');
    return {} as PictureInPictureWindow;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const away = page.getByText('The picture is in its own window');
  try {
    const room = await openRoom('video', asGuest);
    await button('Picture in picture').click();
    await shown(away);
    await expectAccessible('all');
    await button('Bring it back').click();
    expect(out).toBeNull();
    await gone(away);
    await focused(button('Picture in picture'));
    await userEvent.keyboard('{Enter}');
    await shown(away);
    // By the button of that window.
    void move(null, 'leave');
    await gone(away);
    await button('Picture in picture').click();
    await shown(away);
    room.replace(aTrack('a'));
    await gone(away);
  } finally {
    Reflect.deleteProperty(document, 'pictureInPictureElement');
    Reflect.deleteProperty(document, 'exitPictureInPicture');
  }
});

const exit = () => button('Exit full screen');

test('full screen has Exit, the room with its number of people, the chat, and the controls', async () => {
  await openRoom('video', asGuest);
  await button('Full screen').click();
  await shown(exit());
  await shown(page.getByText('Playing · 2 here'));
  await shown(page.getByRole('region', { name: 'Player' }));
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await shown(page.getByRole('textbox', { name: 'Message' }));
  await expectAccessible('all');
  await exit().click();
  expect(fullElement()).toBeNull();
  await gone(exit());
});

const idle = () => document.querySelector('[data-idle]');
const opacityOf = (part: string) => getComputedStyle(document.querySelector(part) ?? document.body).opacity;

test('over a film the plates hide without input each time, after f and after a double click too', async () => {
  await openRoom('video', { playing: { ...film, controller: 'this tab' } });
  const pass = withMovedClock();
  await button('Full screen').click();
  await shown(exit());
  await exit().click();
  await gone(exit());
  (document.activeElement as HTMLElement).blur();
  await pressF();
  await shown(exit());
  pass();
  await expect.poll(idle).not.toBeNull();
  await expect.poll(() => opacityOf('main > :has(> [data-plates])')).toBe('0');
  await userEvent.keyboard('{Shift}');
  await expect.poll(idle).toBeNull();
  await exit().click();
  document.querySelector('[data-picture]')?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  await shown(exit());
  pass();
  await expect.poll(idle).not.toBeNull();
});

test('while the plates are hidden a request shows them, and then stays as a dot that opens the requests', async () => {
  const room = await openRoom('video', { playing: { ...film, controller: 'this tab' } });
  const pass = withMovedClock();
  await button('Full screen').click();
  await shown(exit());
  room.pushToHost({ type: 'rooms/requestChanged', request: aRequest('Ada Okafor') });
  await shown(page.getByText('Ada Okafor').first());
  expect(over()).not.toEqual([]);
  pass();
  await expect.poll(idle).not.toBeNull();
  await expect.poll(() => opacityOf('[data-panel=requests]')).toBe('0');
  await button('1 waits for you').click();
  await shown(button('Accept Ada Okafor').first());
  await expect.poll(idle).toBeNull();
});

test('in full screen the first request can be answered, and a button with their number opens the others', async () => {
  await openRoom('video', { requests: [aRequest('Ada'), aRequest('Bo'), aRequest('Cy')], playing: film });
  await button('Full screen').click();
  await shown(page.getByText('asks, and 2 more').first());
  await shown(button('Accept Ada').first());
  await gone(page.getByText('Cy'));
  const key = button('Pending Join Requests, 3');
  await expect.element(key).toHaveAttribute('aria-pressed', 'false');
  await key.click();
  await shown(button('Accept Cy'));
  await shown(button('Accept all'));
  await expect.element(key).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible('all');
  await key.click();
  await gone(button('Accept Cy'));
});

test('on a phone on its side the request is one row', async () => {
  await page.viewport(844, 390);
  await openRoom('video', { requests: [aRequest('Ada Okafor')], playing: film });
  await shown(button('Accept Ada Okafor'));
  const parts = [page.getByText('Ada Okafor').first(), button('Accept Ada Okafor'), button('Reject Ada Okafor')];
  const spreadPx = (): number => {
    const middles = parts.map((part) => {
      const { top, bottom } = part.element().getBoundingClientRect();
      return (top + bottom) / 2;
    });
    return Math.max(...middles) - Math.min(...middles);
  };
  await expect.poll(spreadPx).toBeLessThan(4);
});

test('in full screen the controls show what plays next, and a press on it shows the queue', async () => {
  const tracks = [aTrack('f'), aTrack('a', { title: 'The Rain Session' })];
  await openRoom('video', { ...asGuest, playing: { ...film, tracks } });
  await button('Full screen').click();
  const next = button('Up next The Rain Session');
  await expect.element(next).toHaveAttribute('aria-expanded', 'false');
  const queue = page.getByRole('region', { name: 'Queue' });
  await next.click();
  await expect.element(next).toHaveAttribute('aria-expanded', 'true');
  await shown(queue.getByText('Track f'));
  await expectAccessible('all');
  await next.click();
  await gone(queue);
});

test('in full screen a paused device shows its notice in the place of a request', async () => {
  await openRoom('video', asGuest);
  (await untilHeard()).pause();
  await button('Full screen').click();
  const requests = () => document.querySelector('[data-panel=requests]');
  await expect.poll(() => requests()?.textContent).toBe('Paused on this deviceBack to live');
  await expectAccessible('all');
  await button('Back to live').click();
  await expect.poll(() => requests()?.textContent).toBe('');
});

/** The elements over the picture. */
function over(): string[] {
  const picture = document.querySelector('[data-picture]');
  const a = picture?.getBoundingClientRect();
  if (a === undefined) return ['no picture'];
  const plates = [
    ...document.querySelectorAll('[data-full] main > div, [data-full] [data-panel]'),
    exit().element().parentElement,
    page.getByRole('button', { name: 'Chat', exact: true }).element().parentElement,
  ];
  return plates.flatMap((plate) => {
    const b = plate?.getBoundingClientRect();
    if (!plate || !b || b.width === 0 || plate.contains(picture)) return [];
    const isOver = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return isOver ? [plate.textContent] : [];
  });
}

test.for([
  ['a video of YouTube on a wide screen', 'dQw4w9WgXcQ', 1280, 800],
  ['a video of YouTube on an upright phone', 'dQw4w9WgXcQ', 390, 844],
  ['a film on an upright phone', aTrack('f').videoId, 390, 844],
] as const)('nothing lies over %s', async ([, videoId, width, height]) => {
  await commands.serveYouTube({});
  const track = aTrack('f', { videoId: videoId as VideoId });
  await openRoom('video', { requests: [aRequest('Ada Okafor')], playing: { tracks: [track], isPlaying: true } });
  await expect.poll(() => document.querySelector('[data-picture]')).not.toBeNull();
  await page.viewport(width, height);
  await button('Full screen').click();
  await shown(exit());
  await expect.poll(over).toEqual([]);
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await shown(page.getByRole('textbox', { name: 'Message' }));
  await expect.poll(over).toEqual([]);
  for (const key of [button('Pause'), page.getByRole('slider', { name: 'Seek' })]) {
    await expect.element(key).toBeInViewport({ ratio: 1 });
  }
  await expectAccessible('this');
});
