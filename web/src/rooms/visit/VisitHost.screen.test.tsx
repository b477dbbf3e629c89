import { aSnapshot, maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { roomKinds, type RoomCode, type RoomKind } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, focused, gone, heading, link, modal, shown, words } from '../../../testing/screens/find.ts';
import { closePage } from '../../../testing/screens/open-page.tsx';
import {
  aRequest,
  aTrack,
  mediaElement,
  openRoom,
  roomPath,
  testRoomCode,
  untilHeard,
  type RoomVisit,
} from '../../../testing/screens/rooms.ts';
import { navigate } from '../../store/address.ts';

const ended = {
  video: 'This Tunemate Room is ended by the host',
  audio: 'This Audio Room is ended by the host.',
} as const;
const bar = (): Locator => page.getByRole('region', { name: 'Room', exact: true });
const returns = (): Locator => link(/^Return to room: /);
const playing = { tracks: [aTrack('a')], isPlaying: true } as const;
const asGuest = { isHost: false, playing: { ...playing, controller: 'another tab' } } as const;
const otherCode = '1B2C3D' as RoomCode;
const ada = { uid: uidOf('Ada Okafor'), name: 'Ada Okafor', online: true };
const withAda = { playing, guests: [ada] };
const inAMinute = (): number => Date.now() + 60_000;

/** The panels over a room, by the button that opens them. */
const openings: readonly (readonly [what: string, opens: () => Locator])[] = [
  ['Invite', () => button('Invite')],
  ['Room settings', () => button('Room settings')],
  ['Sound and sync', () => button('Sound and sync')],
  [
    'the sheet of a person',
    () => page.getByRole('region', { name: 'Participants' }).getByRole('button', { name: /Ada/ }),
  ],
  ['the choice of a host who leaves', () => button('Leave')],
];

/** Goes to an address inside the app, as a link does. */
const goTo = (path: string): void => navigate(path);

/** A player further from the room's timeline than this is out of sync. */
const outOfStepSeconds = 0.04;
const position = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')!;

/**
 * Records every action on this element that is audible as a gap or a jump. Not `waiting`, which without one of these
 * means that the machine is too busy to decode; and not the seek of a player that a busy machine put out of sync.
 */
function watchInterruptions(element: HTMLMediaElement, isInStep: () => boolean) {
  const heard: string[] = [];
  let catchesUp = false;
  Object.defineProperty(element, 'currentTime', {
    get: position.get!,
    set(seconds: number) {
      catchesUp = !isInStep();
      position.set!.call(element, seconds);
    },
  });
  for (const name of ['pause', 'emptied', 'loadstart']) element.addEventListener(name, () => heard.push(name));
  element.addEventListener('seeking', () => {
    if (!catchesUp) heard.push('seeking');
    catchesUp = false;
  });
  return heard;
}

/** Opens a room that plays, then goes home. */
const steppingOut =
  (kind: RoomKind) =>
  async (visit: RoomVisit = { playing }) => {
    const room = await openRoom(kind, visit);
    await shown(heading('Friday Slow Burn'));
    goTo('/');
    await arrivedAt('/');
    await shown(bar());
    return room;
  };

describe.each(roomKinds)('a visit to a room of kind %s', (kind) => {
  const stepOut = steppingOut(kind);

  test('the player goes on without a gap, on other screens and back', async () => {
    const atMs = Date.now();
    const { server } = await openRoom(kind, { playing: { ...playing, atMs } });
    await shown(heading('Friday Slow Burn'));
    const element = mediaElement();
    const isInStep = () => Math.abs((Date.now() - atMs) / 1000 - element.currentTime) < outOfStepSeconds;
    await expect.poll(() => element.currentTime > 1 && isInStep()).toBe(true);
    const interruptions = watchInterruptions(element, isInStep);
    const before = element.currentTime;
    for (const path of ['/', '/chats', '/notifications']) {
      goTo(path);
      await shown(bar());
      await gone(heading('Friday Slow Burn'));
    }
    await expect.poll(() => element.currentTime).toBeGreaterThan(before + 0.5);
    await returns().click();
    await shown(heading('Friday Slow Burn'));
    expect(mediaElement()).toBe(element);
    expect(interruptions).toEqual([]);
    expect(server.asked('rooms/enter')).toHaveLength(1);
    expect(server.asked('rooms/close')).toEqual([]);
  });

  test('a bar on every other screen shows what plays, and returns to the room', async () => {
    const room = await stepOut(asGuest);
    await shown(bar().getByText('Track a'));
    await shown(bar().getByText('Playing · Friday Slow Burn'));
    await gone(button('Pause'));
    await expectAccessible('all');
    room.move({ isPlaying: false });
    await shown(bar().getByText('Paused · Friday Slow Burn'));
    room.tell({ type: 'rooms/hostAway', hostAwaySince: Date.now() - 60_000 });
    await shown(bar().getByText('The host stepped out · Friday Slow Burn'));
    await returns().click();
    await arrivedAt(roomPath[kind]);
    await gone(bar());
    await expect.poll(() => document.title).toBe('Friday Slow Burn · Tunemate');
  });

  test('a reload of any page restores the visit', async () => {
    await stepOut(asGuest);
    window.dispatchEvent(new Event('pagehide'));
    await closePage();
    const again = await openRoom(kind, { ...asGuest, path: '/chats' });
    await shown(bar().getByText('Track a'));
    expect(location.pathname).toBe('/chats');
    expect(again.server.asked('rooms/enter')).toEqual([{ kind, code: testRoomCode }]);
  });

  test('the end of the room is shown on any screen, and ends the visit', async () => {
    const room = await stepOut(asGuest);
    goTo('/notifications');
    room.tell({ type: 'rooms/ended' });
    await shown(modal(ended[kind]));
    await button('OK').click();
    await gone(bar());
    expect(location.pathname).toBe('/notifications');
    await expect.element(page.getByTestId('player-media')).not.toBeInTheDocument();
  });

  test('opening another room asks first; staying returns to the room, going ends the visit', async () => {
    const { server } = await stepOut(asGuest);
    const other = roomPath[kind].replace(testRoomCode, otherCode);
    goTo(other);
    await shown(modal('Leave Friday Slow Burn for another room?'));
    await button('Cancel').click();
    await arrivedAt(roomPath[kind]);
    await shown(heading('Friday Slow Burn'));
    goTo(other);
    await modal('Leave Friday Slow Burn for another room?').getByRole('button', { name: 'Change rooms' }).click();
    await expect.poll(() => server.asked('rooms/enter').at(-1)).toEqual({ kind, code: otherCode });
    expect(server.asked('rooms/leave')).toEqual([]);
    await gone(words('Loading...'));
  });
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('a visit to a room', () => {
  const kind: RoomKind = 'video';
  const stepOut = steppingOut(kind);

  test('home does not show that a room ends without its host while the host is in it', async () => {
    const inList = {
      ...{ kind, code: testRoomCode, name: 'Friday Slow Burn', host: maraUid, hostName: 'Mara', people: 2 },
      // As stored between two pages of the host.
      ...{ endsAt: Date.now() + 900_000, isPlaying: true, title: 'Track a', thumbnail: null },
    };
    await stepOut({ playing, prepare: (server) => server.on('rooms/mine', () => ok({ rooms: [inList] })) });
    const list = page.getByRole('list', { name: 'Your rooms' });
    await shown(list.getByText('Track a'));
    await gone(list.getByText(/^Ends at/));
  });

  test('on a phone the bar is under the band, and its text returns to the room', async () => {
    await lookOnPhone();
    await stepOut(asGuest);
    await expectAccessible('all');
    const edges = bar().element().getBoundingClientRect();
    expect(edges.top).toBeGreaterThan(40);
    expect(edges.bottom).toBeLessThan(160);
    await returns().click();
    await arrivedAt(roomPath[kind]);
  });

  test('on a phone the bar says in full where it leads, paused on this device and without a connection', async () => {
    await lookOnPhone();
    const { server } = await stepOut(asGuest);
    (await untilHeard()).pause();
    await shown(button('Back to live'));
    const leadsTo = returns().getByText('Return to room', { exact: true });
    await expect.element(leadsTo).toBeInViewport({ ratio: 1 });
    server.disconnect();
    await shown(bar().getByText('Reconnecting… · Return to room'));
    await expect.element(leadsTo).toBeInViewport({ ratio: 1 });
    await expectAccessible('this');
  });

  test('the host plays and pauses from the bar, and answers requests to join', async () => {
    const room = await stepOut({
      playing,
      requests: [aRequest('Ada', 1), aRequest('Noor', 2)],
      prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})),
    });
    await button('Pause').click();
    await expect.poll(room.intents).toEqual([{ type: 'pause' }]);
    await shown(bar().getByText('asks, and 1 more'));
    await button('Accept Ada').click();
    await shown(button('Accept Noor'));
    await gone(bar().getByText('asks, and 1 more'));
    await expectAccessible('all');
  });

  test('leaving from the bar asks first, and keeps the screen', async () => {
    const { server } = await stepOut(asGuest);
    await button('Leave Friday Slow Burn').click();
    await modal('Leave Friday Slow Burn?').getByRole('button', { name: 'Leave' }).click();
    await gone(bar());
    expect(server.asked('rooms/leave')).toHaveLength(1);
    expect(location.pathname).toBe('/');
  });

  test('leaving from the bar offers a host the same choice as in the room', async () => {
    const { server } = await stepOut(withAda);
    await button('Leave Friday Slow Burn').click();
    const dialog = modal('Leave Friday Slow Burn?');
    await expect.element(dialog.getByRole('radio', { name: /^End for everyone/ })).toBeChecked();
    await dialog.getByRole('radio', { name: /^Hand over and leave/ }).click();
    await button('Hand over and leave').click();
    await shown(modal('Who hosts now?').getByText('Ada Okafor'));
    await expectAccessible();
    await button('Back').click();
    await button('End for everyone').click();
    await gone(bar());
    expect(server.asked('rooms/leave')).toEqual([{ kind, code: testRoomCode, ends: true }]);
    expect(location.pathname).toBe('/');
  });

  test.each([true, false])('the bar counts the proposals for the host alone (host: %s)', async (isHost) => {
    const proposals = [{ id: 'p', track: aTrack('b'), proposer: ada.uid, votes: 1 }];
    await stepOut({ ...(isHost ? withAda : { ...asGuest, guests: [ada] }), proposals });
    await shown(bar().getByText('Track a'));
    const counted = bar().getByText(/^1 Proposal$/);
    await (isHost ? shown(counted) : gone(counted));
  });

  test('a duplicated tab, and another user of this tab, visit nothing', async () => {
    await stepOut(asGuest);
    expect(sessionStorage.getItem('tunemate/visit')).toBeNull();
    window.dispatchEvent(new Event('pagehide'));
    const left = sessionStorage.getItem('tunemate/visit') ?? '';
    await closePage();
    sessionStorage.setItem('tunemate/visit', left.replace(aSnapshot().user.uid, 'x'.repeat(28)));
    const { server } = await openRoom(kind, { ...asGuest, path: '/chats' });
    await shown(heading('Chats'));
    await expect.poll(() => sessionStorage.getItem('tunemate/visit')).toBeNull();
    expect(server.asked('rooms/enter')).toEqual([]);
  });

  test('a visit that a reload cannot restore is forgotten without a message', async () => {
    sessionStorage.setItem('tunemate/visit', `${aSnapshot().user.uid} ${kind} ${testRoomCode}`);
    const { server } = await openRoom(kind, {
      path: '/chats',
      prepare: (stand) => stand.on('rooms/enter', () => refused('room/not-member')),
    });
    await expect.poll(() => server.asked('rooms/enter').length).toBe(1);
    await shown(heading('Chats'));
    await gone(page.getByRole('alertdialog'));
    await gone(bar());
  });

  test('signing out ends the visit', async () => {
    const { server } = await stepOut(asGuest);
    server.on('GET /api/session', () => ok({ status: 'signed-out' }));
    server.closeLink({ code: 'auth/required' });
    await gone(bar());
    await expect.element(page.getByTestId('player-media')).not.toBeInTheDocument();
  });

  test.for(openings)('%s closes with the screen of the room', async ([, opens]) => {
    await openRoom(kind, {
      ...withAda,
      prepare: (stand) => stand.on('chats/list', () => ok({ conversations: [] })),
    });
    await opens().click();
    await expect.poll(() => document.querySelector('dialog[open]')).not.toBeNull();
    // Like the browser's Back.
    goTo('/chats');
    await shown(bar());
    await focused(heading('Chats'));
    await expect.poll(() => document.querySelector('dialog')).toBeNull();
    await returns().click();
    await shown(heading('Friday Slow Burn'));
    await gone(page.getByRole('dialog'));
    await gone(page.getByRole('alertdialog'));
  });

  test('a guest who is offered the room can answer on any screen', async () => {
    const room = await stepOut({
      ...asGuest,
      prepare: (stand) => stand.on('rooms/answerHosting', () => ok({})),
    });
    room.tell({ type: 'rooms/handOver', handOver: { to: maraUid, untilMs: inAMinute(), leaves: true } });
    await shown(modal('Ivo hands you Friday Slow Burn'));
    await expectAccessible();
    goTo('/notifications');
    await arrivedAt('/notifications');
    await button('Take over').click();
    await expect.poll(() => room.server.asked('rooms/answerHosting')).toMatchObject([{ takes: true }]);
    room.tell({ type: 'rooms/hostChanged', host: maraUid, hostAwaySince: null });
    await gone(page.getByRole('alertdialog'));
    await shown(words('You host now'));
    expect(location.pathname).toBe('/notifications');
  });

  test('a host who has offered the room can wait and choose again on any screen', async () => {
    const room = await stepOut(withAda);
    room.tell({ type: 'rooms/handOver', handOver: { to: ada.uid, untilMs: inAMinute(), leaves: true } });
    await shown(modal('Asking Ada'));
    room.tell({ type: 'rooms/handOver', handOver: null });
    await modal('Ada can’t host now').getByRole('button', { name: 'Choose again' }).click();
    await shown(modal('Who hosts now?'));
  });
});
