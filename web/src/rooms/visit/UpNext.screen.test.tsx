/** A queue that one can trust: asked before it falls silent, with a way back from a stray press, and from one's own track. */
import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { closePage } from '../../../testing/screens/open-page.tsx';
import { ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const [a, b, c] = [aTrack('a'), aTrack('b'), aTrack('c')];
const queue = () => page.getByRole('region', { name: 'Queue' });
const question = () => page.getByRole('group', { name: 'Play the queue?' });

test('an audio room that would stop asks its host once, at the second track, whether to play the queue', async () => {
  const room = await openRoom('audio', { playing: { tracks: [a] } });
  await shown(button('Play'));
  await gone(question());
  room.edit({ type: 'added', track: b });
  await shown(question());
  await expectAccessible('all');
  await question().getByRole('button', { name: 'Play the queue' }).click();
  await expect.poll(() => room.intents().at(-1)).toEqual({ type: 'setAfterTrack', afterTrack: 'queue' });
  room.tell({ type: 'playback/afterTrackChanged', revision: 3, afterTrack: 'queue' });
  await gone(question());
  room.tell({ type: 'playback/afterTrackChanged', revision: 4, afterTrack: 'stop' });
  room.edit({ type: 'added', track: c });
  await gone(question());
});

test('a host who answered is not asked again after a reload', async () => {
  const start = () => openRoom('audio', { playing: { tracks: [a, b] } });
  await start();
  await question().getByRole('button', { name: 'Stop after this track' }).click();
  await gone(question());
  await closePage();
  await start();
  await shown(queue());
  await gone(question());
});

test('a guest, and a room that plays its queue, are not asked', async () => {
  await openRoom('audio', { playing: { tracks: [a, b], afterTrack: 'queue' } });
  await shown(queue());
  await gone(question());
});

test('the host of an audio room has Previous and Next where they lead somewhere', async () => {
  const room = await openRoom('audio', { playing: { tracks: [a], isPlaying: true } });
  await shown(button('Pause'));
  await gone(button('Next'));
  room.edit({ type: 'added', track: b });
  await button('Next').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'next' });
  await button('Previous').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'previous' });
  await lookOnPhone();
  await expectAccessible('all');
});

test('a stray press on a row can be taken back: the track returns to its place', async () => {
  const room = await openRoom('video', { playing: { tracks: [a, b, c], isPlaying: true, atSeconds: 60 } });
  await queue().getByRole('button', { name: 'Track c', exact: false }).first().click();
  room.tell({
    type: 'playback/moved',
    revision: 2,
    isPlaying: true,
    currentTime: 0,
    updatedAt: Date.now(),
    currentIndex: 2,
  });
  await shown(words('Track c plays now'));
  // The focus holds it while it is looked at.
  (button('Undo').element() as HTMLElement).focus();
  await expectAccessible('this');
  await button('Undo').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'jump', currentIndex: 0 });
  const back = room.intents().at(-1);
  expect(back?.type === 'jump' && (back.currentTime ?? 0)).toBeGreaterThanOrEqual(60);
  await gone(button('Undo'));
});

const longQueue = { tracks: Array.from('0123456789ab', (id) => aTrack(id)) };

test('Undo moves no row under a second press', async () => {
  // All rows are in sight: where the room has scrolled, the browser keeps them in place itself.
  await page.viewport(1440, 1200);
  await openRoom('video', { playing: longQueue });
  await shown(queue());
  const row = queue().getByRole('listitem').first().element();
  const before = row.getBoundingClientRect().top;
  await queue().getByRole('button', { name: 'Track 1', exact: false }).first().click();
  await shown(button('Undo'));
  expect(row.getBoundingClientRect().top).toBe(before);
});

test('Undo is in sight on a phone, far from the player', async () => {
  await lookOnPhone();
  await openRoom('video', { playing: longQueue });
  await button('Edit').click();
  await button('Remove Track 9').click();
  await shown(words('Track 9 removed'));
  await expect.element(button('Undo')).toBeInViewport();
});

test.each([
  ['on a tablet beside its title', 768, 1024, true],
  ['on a phone on its side below it', 844, 390, false],
])('what can be done with a row stands %s', async (_where, width, height, isBeside) => {
  await page.viewport(width, height);
  await openRoom('video', { playing: { tracks: [a, b, c] } });
  await button('Edit').click();
  const key = button('Remove Track b');
  await shown(key);
  const title = queue().getByText('Track b').element().getBoundingClientRect();
  expect(key.element().getBoundingClientRect().top < title.bottom).toBe(isBeside);
});

test('a row plays next by its key in Edit, which does nothing for the one that plays next anyway', async () => {
  const room = await openRoom('video', { playing: { tracks: [a, b, c] } });
  await button('Edit').click();
  await expect.element(button('Play Track b next')).toBeDisabled();
  await button('Play Track c next').click();
  await expect.poll(() => room.intents().at(-1)).toEqual({ type: 'move', from: 2, to: 1, videoId: c.videoId });
});

test.each([
  [1280, 800],
  [390, 844],
])('each row that waits has its keys beside its title without Edit, at %i × %i', async (width, height) => {
  await page.viewport(width, height);
  const room = await openRoom('video', { playing: { tracks: [a, b, c] } });
  const key = button('Play Track c next');
  await shown(key);
  const title = queue().getByText('Track c').element().getBoundingClientRect();
  expect(key.element().getBoundingClientRect().top).toBeLessThan(title.bottom);
  await gone(button('Remove Track a'));
  await gone(button(/^Move /));
  await expectAccessible();
  await key.click();
  await expect.poll(() => room.intents()).toHaveLength(1);
  // The room may have refused it.
  await gone(page.getByText('Track c: place 2 of 3'));
  room.edit({ type: 'moved', from: 2, to: 1 });
  // Its key has nothing left to do.
  await focused(queue().getByRole('listitem').nth(1).getByRole('button').first());
  await expect.element(page.getByText('Track c: place 2 of 3')).toBeInTheDocument();
  await button('Remove Track c').click();
  room.edit({ type: 'removed', index: 1 });
  await focused(button('Remove Track b'));
  expect(room.intents().map(({ type }) => type)).toEqual(['move', 'remove']);
});

/** Where lengths of tracks are shown. */
const lengthsIn = (part: Locator): DOMRect[] =>
  part
    .getByText('02:00')
    .elements()
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect());

test.each([
  ['at the right', 1280, 800, true],
  ['below the title', 390, 844, false],
])('the length of a track stands %s of its row, once', async (_where, width, height, isBeside) => {
  await page.viewport(width, height);
  await openRoom('video', { playing: { tracks: [a, b, c] } });
  const row = queue().getByRole('listitem').nth(1);
  await shown(row.getByText('Track b'));
  const lengths = lengthsIn(row);
  expect(lengths).toHaveLength(1);
  const title = row.getByText('Track b').element().getBoundingClientRect();
  expect((lengths[0]?.top ?? 0) < title.bottom).toBe(isBeside);
});

test('the lengths of all tracks stand above each other, those with keys and the one that plays', async () => {
  await openRoom('video', { playing: { tracks: [a, b, c] } });
  await shown(button('Remove Track b'));
  const ends = lengthsIn(queue()).map(({ right }) => Math.round(right));
  expect(ends).toEqual([ends[0], ends[0], ends[0]]);
});

test('a guest takes back a track of their own that waits, and no other', async () => {
  const tracks = [
    { ...a, proposedBy: maraUid },
    { ...b, proposedBy: maraUid },
    { ...c, proposedBy: ivoUid },
  ];
  const room = await openRoom('video', {
    isHost: false,
    playing: { tracks, controller: 'another tab' },
    prepare: (server) => server.on('playback/takeBack', () => ok({})),
  });
  await gone(button('Take back Track a'));
  await gone(button('Take back Track c'));
  await button('Take back Track b').click();
  await expect.poll(() => room.server.asked('playback/takeBack')).toMatchObject([{ videoId: b.videoId }]);
  await shown(words('Track b taken back'));
});

const dragged = aTrack('d');
const rows = (): HTMLElement[] => [...queue().element().querySelectorAll('li')];
const gripOf = (row: HTMLElement | undefined): HTMLElement => {
  const grip = row?.querySelector<HTMLElement>('[data-grip]');
  if (!grip) throw new Error('no grip');
  return grip;
};

async function openEdited(): Promise<Awaited<ReturnType<typeof openRoom>>> {
  const room = await openRoom('video', { playing: { tracks: [a, b, c, dragged] } });
  await button('Edit').click();
  await shown(button('Move Track d up'));
  return room;
}

test.each([
  ['down', 0, 2],
  ['to the end', 1, 3],
  ['up', 3, 1],
  ['to the beginning', 2, 0],
])('the host drags a row %s', async (_where, from, to) => {
  const room = await openEdited();
  await userEvent.dragAndDrop(gripOf(rows()[from]), gripOf(rows()[to]));
  await expect
    .poll(() => room.intents().filter(({ type }) => type === 'move'))
    .toEqual([{ type: 'move', from, to, videoId: [a, b, c, dragged][from]?.videoId }]);
  expect(rows().map(({ style }) => style.translate)).toEqual(['', '', '', '']);
});

/** What a pointer that was pressed on the grip does then. */
function pointer(grip: HTMLElement, type: string, y: number, pointerId = 1): void {
  const at = { clientX: 1, clientY: y, pointerId, button: 0, bubbles: true };
  grip.dispatchEvent(new PointerEvent(type, at));
}
/** The middle of the nth row, whichever rows make room just now. */
function middleOf(nth: number): number {
  const [row] = rows();
  const list = row?.parentElement?.getBoundingClientRect();
  return (list?.top ?? 0) + (nth + 0.5) * (row?.offsetHeight ?? 0);
}

/** The last row is held over the second one. */
async function openDragged() {
  const room = await openEdited();
  const grip = gripOf(rows()[3]);
  grip.setPointerCapture = () => undefined;
  pointer(grip, 'pointerdown', middleOf(3));
  pointer(grip, 'pointermove', middleOf(1));
  return { room, grip };
}

test('a row that is dragged while the queue changes lands where it is let go, and Escape leaves it where it was', async () => {
  const { room, grip } = await openDragged();
  expect(rows()[1]?.style.translate).not.toBe('0px');
  room.edit({ type: 'removed', index: 0 });
  await expect.poll(() => rows().length).toBe(3);
  pointer(grip, 'pointermove', middleOf(1));
  pointer(grip, 'pointerup', middleOf(1));
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'move', from: 2, videoId: dragged.videoId });
  const before = room.intents().length;
  pointer(grip, 'pointerdown', middleOf(2));
  pointer(grip, 'pointermove', middleOf(0));
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  pointer(grip, 'pointerup', middleOf(0));
  expect(room.intents()).toHaveLength(before);
  expect(rows().map(({ style }) => style.translate)).toEqual(['', '', '']);
});

test('a second finger neither drags the row that another one holds nor drops it', async () => {
  const { room, grip } = await openDragged();
  const held = rows().map(({ style }) => style.translate);
  for (const type of ['pointermove', 'pointerup', 'lostpointercapture']) pointer(grip, type, middleOf(3), 2);
  expect(rows().map(({ style }) => style.translate)).toEqual(held);
  const moves = () => room.intents().filter(({ type }) => type === 'move');
  expect(moves()).toEqual([]);
  pointer(grip, 'pointerup', middleOf(1));
  expect(moves()).toMatchObject([{ from: 3 }]);
});

test('a row that goes while it is dragged leaves the others in their places', async () => {
  const room = await openEdited();
  const [grip, target] = [gripOf(rows()[3]), gripOf(rows()[1])];
  let moved: string[] = [];
  // After what the grip does itself.
  const onMove = (): void => {
    const now = rows().map(({ style }) => style.translate);
    if (moved.length > 0 || !now.slice(0, 3).some((each) => /[1-9]/.test(each))) return;
    moved = now;
    room.edit({ type: 'removed', index: 3 });
  };
  window.addEventListener('pointermove', onMove);
  await userEvent.dragAndDrop(grip, target);
  window.removeEventListener('pointermove', onMove);
  await expect.poll(() => rows().length).toBe(3);
  expect(moved).toHaveLength(4);
  await expect.poll(() => rows().map(({ style }) => style.translate)).toEqual(['', '', '']);
  expect(room.intents().filter(({ type }) => type === 'move')).toEqual([]);
});
