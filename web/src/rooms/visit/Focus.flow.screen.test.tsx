/** The focus after its element has disappeared, and the announcements for screen readers. */
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, field, focused, gone, heading, link, shown } from '../../../testing/screens/find.ts';
import { closePage } from '../../../testing/screens/open-page.tsx';
import { aRequest, aTrack, openRoom, roomPath, testRoomCode } from '../../../testing/screens/rooms.ts';
import { navigate } from '../../store/address.ts';

const paths = {
  video: { create: '/create', join: '/join' },
  audio: { create: '/create-audio-room', join: '/join-audio-room' },
} as const;
const room = heading('Friday Slow Burn');
const lapsed = (name: string) => ({
  type: 'rooms/requestChanged' as const,
  request: { ...aRequest(name), status: null },
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('the focus in a room', () => {
  const kind = 'video';
  test('goes to the heading of the created room, and then to the name of the room', async () => {
    await openRoom(kind, {
      path: paths[kind].create,
      prepare: (stand) => stand.on('rooms/create', () => ok({ code: testRoomCode })),
    });
    await field('Room name').fill('Friday Slow Burn');
    await userEvent.keyboard('{Enter}');
    await focused(heading('Your room is pressed'));
    await link('Enter Room').click();
    await arrivedAt(roomPath[kind]);
    await focused(room);
  });

  test('goes to the heading of the waiting page, and then to the name of the room', async () => {
    const { server } = await openRoom(kind, {
      isHost: false,
      path: `${paths[kind].join}?code=${testRoomCode}`,
      prepare: (stand) => {
        stand.on('rooms/askToJoin', () => ok({ code: testRoomCode, status: 'pending' }));
        stand.on('rooms/cancelRequest', () => ok({}));
        stand.on('rooms/renewRequest', () => ok({ status: 'pending' }));
      },
    });
    await button('Join Session').click();
    await focused(heading(/^Waiting for Host Approval/));
    server.tell({ type: 'rooms/requestAnswered', kind, code: testRoomCode, answer: 'accepted' });
    await arrivedAt(roomPath[kind]);
    await focused(room);
  });

  test('stays with the row of the queue that is moved, and goes to the next one when it is removed', async () => {
    const tracks = ['a', 'b', 'c'].map((id) => aTrack(id, { title: `Track ${id}` }));
    const { edit, intents } = await openRoom(kind, { playing: { tracks } });
    await button('Edit').click();
    await button('Move Track c up').click();
    edit({ type: 'moved', from: 2, to: 1 });
    await focused(button('Move Track c up'));
    await expect.element(page.getByText('Track c: place 2 of 3')).toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    edit({ type: 'moved', from: 1, to: 2 });
    await focused(button('Move Track c up'));
    await button('Move Track b down').click();
    edit({ type: 'moved', from: 1, to: 2 });
    // At the end of the queue it can't go further down.
    await focused(button('Move Track b up'));
    await button('Remove Track c').click();
    edit({ type: 'removed', index: 1 });
    await focused(button('Remove Track b'));
    expect(intents().map(({ type }) => type)).toEqual(['move', 'move', 'move', 'remove']);
  });

  test('the queue is edited further when the window becomes narrow, and not in the next room', async () => {
    const playing = { tracks: [aTrack('a'), aTrack('b')] };
    await openRoom(kind, { playing });
    await button('Edit').click();
    await lookOnPhone();
    await shown(button('Remove Track b'));
    await closePage();
    await openRoom(kind, { playing });
    await shown(button('Edit'));
  });

  test('stays with the row that plays next now, whose key has nothing left to do', async () => {
    const tracks = ['a', 'b', 'c'].map((id) => aTrack(id, { title: `Track ${id}` }));
    const { edit } = await openRoom(kind, { playing: { tracks } });
    await button('Edit').click();
    await button('Play Track c next').click();
    edit({ type: 'moved', from: 2, to: 1 });
    await focused(button('Move Track c up'));
  });

  test('goes to the key beside the search when its results are closed', async () => {
    await openRoom(kind, { prepare: (stand) => stand.on('catalogue/search', () => ok({ status: 'ok', items: [] })) });
    await page.getByRole('searchbox').fill('slow burn');
    await userEvent.keyboard('{Enter}');
    await button('Cancel').click();
    await gone(button('Cancel'));
    await focused(button('Library'));
  });

  test('stays on the requests while others wait, and goes to the name of the room after the last', async () => {
    await openRoom(kind, {
      requests: [aRequest('Ada', 1), aRequest('Noor', 2)],
      prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})),
    });
    await button('Accept Ada').click();
    await gone(button('Accept Ada'));
    await focused(page.elementLocator(document.querySelector('[data-panel="requests"]') ?? document.body));
    await button('Accept Noor').click();
    await gone(button('Accept Noor'));
    await focused(room);
  });

  test('stays where it is while a request arrives and expires', async () => {
    const visit = await openRoom(kind, { requests: [aRequest('Ada', 1)] });
    await shown(button('Accept Ada'));
    const typing = field('Search videos');
    await typing.click();
    visit.pushToHost(lapsed('Ada'));
    await gone(button('Accept Ada'));
    await focused(typing);
  });

  test('goes to the screen’s heading after a request in the room bar, which is announced', async () => {
    const visit = await openRoom(kind, { prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})) });
    await shown(room);
    navigate('/chats');
    const bar = page.getByRole('region', { name: 'Room', exact: true });
    await shown(bar);
    visit.pushToHost({ type: 'rooms/requestChanged', request: aRequest('Ada', 5) });
    await expect.element(bar.getByRole('status').last()).toHaveTextContent('Ada asks to join');
    await button('Accept Ada').click();
    await focused(heading('Chats'));
    await expect.element(bar.getByRole('status').last()).toHaveTextContent('');
  });

  test('a track is announced to screen readers when it starts', async () => {
    const visit = await openRoom(kind, {
      isHost: false,
      playing: { tracks: [aTrack('a')], isPlaying: true, controller: 'another tab' },
    });
    await shown(room);
    const announced = (): string | undefined =>
      document.querySelector('[aria-live="polite"][aria-atomic]')?.textContent;
    await expect.poll(announced).toBe('Now playing: Track a');
    visit.move({ isPlaying: false });
    await expect.poll(announced).toBe('Track a');
    visit.replace(aTrack('b'));
    await expect.poll(announced).toBe('Track b');
    visit.move({ isPlaying: true });
    await expect.poll(announced).toBe('Now playing: Track b');
  });
});
