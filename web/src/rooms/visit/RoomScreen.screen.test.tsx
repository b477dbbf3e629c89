import { uidOf } from '../../../testing/connection-fixtures.ts';
import { roomKinds, type RoomCode } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, focused, gone, heading, modal, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aTunemate, ivoUid, longName } from '../../../testing/screens/people.ts';
import { aRequest, aTrack, testRoomCode, openRoom, roomPath } from '../../../testing/screens/rooms.ts';

/** The sentences that differ between the kinds. */
const kinds = [
  { kind: 'video', ended: 'This Tunemate Room is ended by the host', joinPath: '/join' },
  { kind: 'audio', ended: 'This Audio Room is ended by the host.', joinPath: '/join-audio-room' },
] as const;
const track = { tracks: [aTrack('f')] };
const section = (name: string): Locator => page.getByRole('region', { name });
const requestOf = (name: string, askedAt: number) => ({
  type: 'rooms/requestChanged' as const,
  request: aRequest(name, askedAt),
});

test('the tests cover both kinds of room', () => {
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(roomKinds.toSorted());
});

describe.each(kinds)('a $kind room', ({ kind, ended, joinPath }) => {
  test("has a head with the room's name, 'You (Host)' for the host, the code, and Leave", async () => {
    await openRoom(kind, { playing: track });
    await shown(heading('Friday Slow Burn'));
    await shown(words('You (Host)'));
    await shown(page.getByRole('img', { name: 'Room code 7 F 3 A 9 C' }));
    await shown(button('Leave'));
    await expect.poll(() => document.title).toBe('Friday Slow Burn · Tunemate');
    await expectAccessible('all');
  });

  test('has a Leave that is readable under the pointer', async () => {
    await openRoom(kind, { playing: track });
    await button('Leave').hover();
    await expectAccessible('this');
  });

  test("shows guests the host's name, and none of the host's controls", async () => {
    await openRoom(kind, { isHost: false, playing: { ...track, controller: 'another tab' } });
    await shown(page.getByRole('main').getByText('Ivo Baranov'));
    await shown(page.getByRole('slider', { name: 'Position' }));
    for (const name of ['Play', 'Pause', 'Previous', 'Next', 'Take over']) await gone(button(name));
    await gone(section('Pending Join Requests'));
    await expect.element(page.getByRole('slider', { name: 'Position' })).toBeDisabled();
    await expectAccessible();
  });

  test.each([50, 200])(
    'holds %i people with the longest of names, all of them reached with the keyboard',
    async (count) => {
      const guests = Array.from({ length: count - 1 }, (_, index) => ({
        uid: uidOf(`Person${String(index)}`),
        name: `${longName.slice(0, 46)}${String(index)}`,
        online: index % 3 > 0,
      }));
      await openRoom(kind, { guests, name: 'W'.repeat(100), playing: track });
      await expect.poll(() => section('Participants').getByRole('listitem').length).toBe(count);
      await shown(section('Participants').getByText(String(count), { exact: true }));
      if (count === 50) await expectAccessible();
    },
  );

  test(`a room that ends says '${ended}' and leads home`, async () => {
    const room = await openRoom(kind, { isHost: false, playing: track });
    await shown(heading('Friday Slow Burn'));
    room.tell({ type: 'rooms/ended' });
    await shown(modal(ended));
    await expectAccessible();
    await button('OK').click();
    await arrivedAt('/');
  });

  test("a user who is no member reads 'Access Denied! You must wait for host approval' and may ask", async () => {
    await openPage(roomPath[kind], { prepare: (server) => server.on('rooms/enter', () => refused('room/not-member')) });
    await shown(modal('Access Denied! You must wait for host approval'));
    await button('OK').click();
    await arrivedAt(`${joinPath}?code=${testRoomCode}`);
    await expect.element(page.getByLabelText('Room code')).toHaveValue(testRoomCode);
  });

  test('on a phone every part of the room can be reached', async () => {
    await lookOnPhone();
    await openRoom(kind, { requests: [aRequest('Ada')], playing: track });
    for (const name of ['Participants', 'Pending Join Requests']) {
      await shown(section(name));
      section(name).element().scrollIntoView();
    }
    await shown(button('Click here to Start Chat'));
  });

  test('the address may be in small letters', async () => {
    await openPage(roomPath[kind].toLowerCase(), {
      prepare: (server) => server.on('rooms/enter', () => refused('room/not-member')),
    });
    await button('OK').click();
    await arrivedAt(`${joinPath}?code=${testRoomCode.toLowerCase()}`);
    await expect.element(page.getByLabelText('Room code')).toHaveValue(testRoomCode satisfies RoomCode);
  });

  test("volume, mute and this device's delay can be set by the keyboard, and are remembered", async () => {
    await openRoom(kind, { playing: track });
    await button('Mute').click();
    // Its name says what it does: it is not pressed besides.
    await expect.element(button('Unmute')).not.toHaveAttribute('aria-pressed');
    await expect.element(page.getByRole('slider', { name: 'Volume' })).toHaveAttribute('aria-valuetext', 'Muted');
    await button('Unmute').click();
    (page.getByRole('slider', { name: 'Volume' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(page.getByRole('slider', { name: 'Volume' })).toHaveAttribute('aria-valuetext', '95 %');
    await button('Sound and sync').click();
    await button('Resync').click();
    await button('Close').click();
    await gone(button('Resync'));
    (page.getByRole('slider', { name: 'Volume' }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(page.getByRole('slider', { name: 'Volume' })).toHaveAttribute('aria-valuetext', '100 %');
  });
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('a room', () => {
  const { kind } = kinds[0];
  test("shows 'Loading...' first", async () => {
    await openPage(roomPath[kind], { prepare: (server) => server.on('rooms/enter', silence) });
    await shown(words('Loading...'));
    await expectAccessible();
  });

  test('lists participants with a count: the host with a crown, others with a dot for being online', async () => {
    const room = await openRoom(kind, { guests: [{ uid: ivoUid, name: 'Ivo', online: true }] });
    const people = section('Participants');
    await shown(people.getByText('2', { exact: true }));
    await expect.element(people.getByRole('listitem').first()).toHaveTextContent('MMara LindqvistYou, host');
    await expect.element(people.getByRole('listitem').last()).toHaveTextContent('IOnlineIvo');
    room.tell({ type: 'rooms/participantPresence', uid: ivoUid, online: false });
    await expect.element(people.getByRole('listitem').last()).toHaveTextContent('IOfflineIvo');
    room.tell({ type: 'rooms/participantRenamed', uid: ivoUid, name: 'Ivo B.' });
    await shown(people.getByText('Ivo B.'));
    room.tell({
      type: 'rooms/participantJoined',
      participant: { uid: uidOf('Ada'), name: 'Ada', online: true },
      people: 3,
    });
    await shown(people.getByText('3', { exact: true }));
    room.tell({ type: 'rooms/participantLeft', uid: ivoUid, people: 1 });
    await gone(people.getByText('Ivo B.'));
  });

  test("the host sees 'Pending Join Requests', and accepts one by the keyboard", async () => {
    const room = await openRoom(kind, {
      requests: [aRequest('Ada', 1), aRequest('Noor', 2)],
      prepare: (stand) => stand.on('rooms/acceptRequest', silence),
    });
    const { server } = room;
    const pending = section('Pending Join Requests');
    await shown(pending.getByText('asks, and 1 more'));
    await expectAccessible('all');
    (button('Accept Ada').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Accept Ada')).toHaveAttribute('aria-busy', 'true');
    await button('Reject Ada').click();
    expect(server.asked('rooms/acceptRequest')).toEqual([{ kind, code: testRoomCode, uid: uidOf('Ada') }]);
    room.pushToHost({ ...requestOf('Ada', 1), request: { ...aRequest('Ada', 1), status: 'accepted' } });
    await gone(button('Accept Ada'));
    await shown(button('Accept Noor'));
  });

  test('the host publishes the position again some time after accepting a request', async () => {
    const { server } = await openRoom(kind, {
      requests: [aRequest('Ada', 1)],
      playing: { ...track, isPlaying: true },
      prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})),
    });
    const republished = () => server.asked('playback/write').filter(({ intent }) => intent.type === 'republish').length;
    await button('Accept Ada').click();
    await expect.poll(() => server.asked('rooms/acceptRequest').length).toBe(1);
    await expect.poll(republished).toBe(1);
  });

  test('the host rejects a request, and reads why an answer failed', async () => {
    const { server } = await openRoom(kind, {
      requests: [aRequest('Ada')],
      prepare: (stand) => {
        stand.on('rooms/rejectRequest', () => ok({}));
        stand.on('rooms/acceptRequest', () => refused('room/full'));
      },
    });
    await button('Accept Ada').click();
    await modal('This room is full.').getByRole('button', { name: 'OK' }).click();
    await button('Reject Ada').click();
    await expect
      .poll(() => server.asked('rooms/rejectRequest'))
      .toEqual([{ kind, code: testRoomCode, uid: uidOf('Ada') }]);
  });

  test("a new request shows 'New Join Request from' and the name, for five seconds", async () => {
    const room = await openRoom(kind, { playing: track });
    // Away from the notice, which stays under the pointer.
    await heading('Friday Slow Burn').hover();
    const sinceMs = performance.now();
    room.pushToHost(requestOf('Ada', 5));
    const banner = button(/^New Join Request from \w/);
    await expect.element(banner).toHaveTextContent('New Join Request from Ada');
    await shown(button('Accept Ada').first());
    await expect.element(banner).not.toBeInTheDocument();
    // On a busy machine it only lasts longer.
    expect(performance.now() - sinceMs).toBeGreaterThan(4900);
    await shown(button('Accept Ada'));
  });

  test('two new requests share the notice: the older one is answered first', async () => {
    const room = await openRoom(kind);
    await shown(heading('Friday Slow Burn'));
    room.pushToHost(requestOf('Ada', 5));
    room.pushToHost(requestOf('Noor', 6));
    await shown(words('New Join Request from Noor'));
    await shown(button('Ada asks, and 1 more'));
    await expectAccessible('this');
  });

  test('tunemates who are online and not in the room can be invited', async () => {
    const { server } = await openRoom(kind, {
      own: { tunemates: [aTunemate('Ada'), aTunemate('Noor', {}, 'offline')] },
      prepare: (stand) => stand.on('notifications/invite', () => ok({})),
    });
    await button('Invite').click();
    await button('Invite Ada').click();
    await modal('Invite Ada?').getByRole('button', { name: 'Invite' }).click();
    await shown(words('Invitation sent to Ada'));
    expect(server.asked('notifications/invite')).toMatchObject([{ uid: uidOf('Ada') }]);
  });

  test('leaving asks for confirmation; the host reads that the room closes for everyone', async () => {
    const { server } = await openRoom(kind, {
      prepare: (stand) => stand.on('rooms/leave', () => refused('server/busy')),
    });
    await button('Leave').click();
    const question = modal('Leave and end Friday Slow Burn?');
    await shown(question.getByText('You are the host. The room closes for everyone in it.'));
    await focused(question.getByRole('button', { name: 'Cancel' }));
    await expectAccessible('all');
    await userEvent.keyboard('{Escape}');
    await gone(question);
    expect(server.asked('rooms/leave')).toEqual([]);
    await button('Leave').click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await modal('The server is busy. Try again in a moment.').getByRole('button', { name: 'OK' }).click();
    server.on('rooms/leave', () => ok({}));
    await button('Leave').click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await arrivedAt('/');
  });

  test('a guest who leaves reads that the host must let them in again, and goes home', async () => {
    const { server } = await openRoom(kind, { isHost: false });
    await button('Leave').click();
    const question = modal('Leave Friday Slow Burn?');
    await shown(question.getByText('To come back you need the host to let you in again.'));
    await question.getByRole('button', { name: 'Leave' }).click();
    await arrivedAt('/');
    expect(server.asked('rooms/leave')).toEqual([{ kind, code: testRoomCode, ends: false }]);
  });

  test("a room that is not there says 'Room not found' and leads home", async () => {
    await openPage(roomPath[kind], { prepare: (server) => server.on('rooms/enter', () => refused('room/not-found')) });
    await shown(modal('Room not found'));
    await expectAccessible();
    await button('OK').click();
    await arrivedAt('/');
  });

  test("a host who is away is 'Host is reconnecting…' after five seconds, until they are back", async () => {
    const room = await openRoom(kind, { isHost: false, hostAwaySince: Date.now() - 60_000, playing: track });
    await shown(words('Host is reconnecting…'));
    await expectAccessible();
    room.tell({ type: 'rooms/hostAway', hostAwaySince: null });
    await gone(words('Host is reconnecting…'));
  });

  test('the host’s own page does not show that the host is away', async () => {
    await openRoom(kind, { hostAwaySince: Date.now() - 60_000, playing: track });
    await shown(button('Play'));
    await gone(words('Host is reconnecting…'));
  });

  test('after a lost connection the page shows the current room', async () => {
    const { server } = await openRoom(kind);
    await shown(heading('Friday Slow Burn'));
    server.disconnect();
    server.reconnect();
    await expect.poll(() => server.asked('rooms/enter').length).toBe(2);
    await shown(heading('Friday Slow Burn'));
  });

  test('another tab has the controls, and this one can take them over', async () => {
    const room = await openRoom(kind, { playing: { ...track, controller: 'another tab' } });
    await shown(words(/^Playing in another tab/));
    await gone(button('Play'));
    await expectAccessible();
    await button('Take over').click();
    await expect
      .poll(() => room.server.asked('playback/takeControl').some(({ onlyIfFree }) => onlyIfFree !== true))
      .toBe(true);
    room.giveControl();
    await shown(button('Play'));
    await gone(words(/^Playing in another tab/));
  });

  test('a play that the server refuses is shown for a while', async () => {
    await openRoom(kind, {
      playing: track,
      prepare: (server) => server.on('playback/write', () => refused('server/busy')),
    });
    await button('Play').click();
    await shown(words('The server is busy. Try again in a moment.'));
  });
});
