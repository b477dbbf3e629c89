/** Handing over a room: the host chooses, the chosen guest answers, all participants read who hosts. */
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { aTunemate, ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom, testRoomCode, type RoomVisit } from '../../../testing/screens/rooms.ts';
import { navigate } from '../../store/address.ts';

const person = (name: string, online = true) => ({ uid: uidOf(name), name, online });
const choice = (name: string | RegExp) => page.getByRole('radio', { name });
const inAMinute = () => Date.now() + 60_000;

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('who hosts a room', () => {
  const kind = 'audio';
  const track = { tracks: [aTrack('f')] };
  const open = (visit: RoomVisit = {}) =>
    openRoom(kind, {
      playing: track,
      guests: [person('Theo Brandt'), person('Ada Okafor'), person('Kenji Watari', false)],
      ...visit,
      prepare: (server) => {
        server.on('rooms/offerHosting', () => ok({}));
        server.on('rooms/takeBackHosting', () => ok({}));
        server.on('rooms/answerHosting', () => ok({}));
        visit.prepare?.(server);
      },
    });

  test('Leave lets the host end the room, which is preset, or hand it over', async () => {
    const { server } = await open();
    await button('Leave').click();
    const dialog = modal('Leave Friday Slow Burn?');
    await shown(dialog.getByText('You are the host. 3 others are here.'));
    await expect.element(choice(/^End for everyone/)).toBeChecked();
    await expectAccessible('all');
    await dialog.getByRole('button', { name: 'End for everyone' }).click();
    await arrivedAt('/');
    expect(server.asked('rooms/leave')).toEqual([{ kind, code: testRoomCode, ends: true }]);
  });

  test('Leave lets the house play in an audio room: the host goes home and the room stays', async () => {
    const { server } = await open({ prepare: (stand) => stand.on('rooms/letHousePlay', () => ok({})) });
    await button('Leave').click();
    await choice(/^Let the house play/).click();
    await expectAccessible('all');
    await button('Let the house play').click();
    await arrivedAt('/');
    expect([server.asked('rooms/letHousePlay').length, server.asked('rooms/leave')]).toEqual([1, []]);
  });

  test('a host who is on another screen by the time the house plays stays there', async () => {
    const done = Promise.withResolvers<ReturnType<typeof ok<Record<string, never>>>>();
    const { server } = await open({ prepare: (stand) => stand.on('rooms/letHousePlay', () => done.promise) });
    await button('Leave').click();
    await choice(/^Let the house play/).click();
    await button('Let the house play').click();
    await expect.poll(() => server.asked('rooms/letHousePlay')).toHaveLength(1);
    navigate('/create');
    await shown(button('Leave Friday Slow Burn'));
    done.resolve(ok({}));
    await gone(button('Leave Friday Slow Burn'));
    expect(location.pathname).toBe('/create');
  });

  test('a host who is replaced meanwhile ends nothing', async () => {
    await open({ prepare: (server) => server.on('rooms/leave', () => refused('room/host-changed')) });
    await button('Leave').click();
    await modal(/^Leave/)
      .getByRole('button', { name: 'End for everyone' })
      .click();
    await shown(modal('The host has just changed. Look again, and try once more.'));
  });

  test('the host hands over to a participant who is online, tunemates first, and waits for the answer', async () => {
    const room = await open({ own: { tunemates: [aTunemate('Ada Okafor')] } });
    await button('Leave').click();
    await choice(/^Hand over and leave/).click();
    await button('Hand over and leave').click();
    await shown(modal('Who hosts now?'));
    await expect
      .poll(() =>
        modal('Who hosts now?')
          .getByRole('radio')
          .elements()
          .map((each) => (each as HTMLInputElement).value),
      )
      .toEqual([uidOf('Ada Okafor'), uidOf('Theo Brandt'), uidOf('Kenji Watari')]);
    await expect.element(choice(/^Kenji Watari Reconnecting/)).toBeDisabled();
    await expect.element(button('Hand over')).toBeDisabled();
    await choice(/^Ada Okafor/).click();
    await expectAccessible('all');
    await button('Hand over to Ada').click();
    await expect
      .poll(() => room.server.asked('rooms/offerHosting'))
      .toEqual([{ kind, code: testRoomCode, uid: uidOf('Ada Okafor'), leaves: true }]);
    room.tell({ type: 'rooms/handOver', handOver: { to: uidOf('Ada Okafor'), untilMs: inAMinute(), leaves: true } });
    await shown(modal('Asking Ada').getByText('Waiting for Ada Okafor'));
    await expectAccessible();
    room.tell({ type: 'rooms/handOver', handOver: null });
    await button('Choose again').click();
    await shown(modal('Who hosts now?'));
  });

  test('a host whose choice leaves the room hands it to no other person without another choice', async () => {
    const room = await open({ guests: [person('Theo Brandt'), person('Ada Okafor')] });
    await button('Leave').click();
    await choice(/^Hand over and leave/).click();
    await button('Hand over and leave').click();
    await choice(/^Ada Okafor/).click();
    await shown(button('Hand over to Ada'));
    room.tell({ type: 'rooms/participantLeft', uid: uidOf('Ada Okafor'), people: 2 });
    await expect.element(button('Hand over')).toBeDisabled();
    await choice(/^Theo Brandt/).click();
    await shown(button('Hand over to Theo'));
  });

  test('the host withdraws an offer, and is still the host', async () => {
    const room = await open({ handOver: { to: uidOf('Ada Okafor'), untilMs: inAMinute(), leaves: false } });
    await button('Take back').click();
    await expect.poll(() => room.server.asked('rooms/takeBackHosting').length).toBe(1);
    room.tell({ type: 'rooms/handOver', handOver: null });
    await gone(modal('Asking Ada'));
    await gone(modal(/can’t host now/));
    await shown(button('Play'));
  });

  test('an offer that could not be withdrawn still says how it ends', async () => {
    const room = await open({
      handOver: { to: uidOf('Ada Okafor'), untilMs: inAMinute(), leaves: false },
      prepare: (server) => server.on('rooms/takeBackHosting', () => refused('server/failed')),
    });
    await button('Take back').click();
    await button('OK').click();
    room.tell({ type: 'rooms/handOver', handOver: null });
    await shown(modal('Ada can’t host now'));
  });

  test('an offer that expires without an answer shows that to the host, who stays the host', async () => {
    const room = await open();
    await shown(button('Play'));
    const untilMs = Date.now() + 5000;
    room.tell({ type: 'rooms/handOver', handOver: { to: uidOf('Ada Okafor'), untilMs, leaves: false } });
    await shown(modal('Asking Ada'));
    await shown(modal('Ada can’t host now'));
    await expectAccessible();
    await button('Stay').click();
    await shown(button('Play'));
  });

  test('the guest who is offered the room reads what that means, and has the controls as the host', async () => {
    const room = await open({ isHost: false, playing: { ...track, controller: 'another tab' } });
    await shown(page.getByRole('slider', { name: 'Position' }));
    await gone(button('Play'));
    room.tell({ type: 'rooms/handOver', handOver: { to: maraUid, untilMs: inAMinute(), leaves: true } });
    await shown(modal('Ivo hands you Friday Slow Burn').getByText(/^You would choose the music for 4 people/));
    await expectAccessible();
    await button('Take over').click();
    await expect
      .poll(() => room.server.asked('rooms/answerHosting'))
      .toMatchObject([{ kind, code: testRoomCode, takes: true }]);
    room.tell({ type: 'rooms/hostChanged', host: maraUid, hostAwaySince: null });
    await shown(words('You host now'));
    await expect.poll(() => room.server.asked('rooms/enter').length).toBe(2);
    room.giveControl();
    await shown(button('Play'));
    await shown(words('You (Host)'));
    await gone(page.getByRole('alertdialog'));
  });

  test('the guest who is asked reads how long there is to answer, as time goes by', async () => {
    await open({ isHost: false, handOver: { to: maraUid, untilMs: inAMinute() - 20_000, leaves: false } });
    const timer = page.getByRole('timer');
    const left = () => Number.parseInt(timer.element().ariaLabel ?? '', 10);
    await shown(modal(/^Ivo hands you/));
    const first = left();
    expect(first).toBeLessThanOrEqual(40);
    await expect.poll(left, { timeout: 3000 }).toBeLessThan(first);
  });

  test('a guest who presses twice answers once', async () => {
    const room = await open({ isHost: false, handOver: { to: maraUid, untilMs: inAMinute(), leaves: false } });
    room.server.on('rooms/answerHosting', silence);
    await button('Take over').dblClick();
    await expect.poll(() => room.server.asked('rooms/answerHosting').length).toBe(1);
    room.tell({ type: 'rooms/hostChanged', host: maraUid, hostAwaySince: null });
    await shown(words('You host now'));
    expect(room.server.asked('rooms/answerHosting')).toHaveLength(1);
  });

  test('Escape is No thanks', async () => {
    const room = await open({ isHost: false, handOver: { to: maraUid, untilMs: inAMinute(), leaves: false } });
    await shown(modal(/^Ivo hands you/));
    await button('No thanks').click();
    await expect.poll(() => room.server.asked('rooms/answerHosting')).toMatchObject([{ takes: false }]);
  });

  test('all participants read who hosts now, and the host before has no controls left', async () => {
    const room = await open({ requests: [] });
    await shown(button('Play'));
    room.tell({ type: 'rooms/hostChanged', host: uidOf('Ada Okafor'), hostAwaySince: null });
    await shown(words('Ada Okafor hosts now'));
    await gone(button('Play'));
    await shown(page.getByRole('slider', { name: 'Position' }));
    expect(room.server.asked('rooms/enter').length).toBe(1);
  });

  test('an offer to another guest shows nothing', async () => {
    const room = await open({ isHost: false });
    await shown(page.getByRole('slider', { name: 'Position' }));
    room.tell({ type: 'rooms/handOver', handOver: { to: uidOf('Ada Okafor'), untilMs: inAMinute(), leaves: true } });
    room.tell({ type: 'rooms/participantRenamed', uid: ivoUid, name: 'Ivo B.' });
    await shown(page.getByRole('region', { name: 'Participants' }).getByText('Ivo B.'));
    await gone(page.getByRole('alertdialog'));
  });
});
