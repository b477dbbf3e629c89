/** Loading the participants of a large room. */
import type { Participant, RoomMessage, SomePeople, Uid, WhichPeople } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { manualTimer } from '../../../testing/connection-fixtures.ts';
import { guestUid, host, message, roomSnapshot, testRoomCode } from '../../../testing/room-fixtures.ts';
import { createRoomModel } from '../visit/room-model.ts';
import { openRoster } from './roster.ts';

const person = (n: number, name = `Guest ${String(n)}`): Participant => ({
  uid: String(n).padStart(22, '0') as Uid,
  name,
  online: true,
});
const firstPage = [host, ...Array.from({ length: 49 }, (_, n) => person(n + 1))];

async function inLargeRoom(messages: RoomMessage[] = [], people = 300) {
  const connection = createFakeConnection();
  const timer = manualTimer();
  const room = createRoomModel({
    connection,
    kind: 'video',
    code: testRoomCode,
    selfUid: guestUid,
    schedule: timer.schedule,
  });
  const base = roomSnapshot('video');
  const self = { uid: guestUid, name: 'Ivo', online: true };
  const snapshot = { ...base, messages, room: { ...base.room, people, participants: [...firstPage, self] } };
  await connection.last('rooms/enter').answer(snapshot);
  const ask = (which: WhichPeople) => connection.request('rooms/people', { kind: 'video', code: testRoomCode, which });
  const roster = openRoster({ room, ask, schedule: timer.schedule, random: () => 0.5, selfUid: guestUid }, snapshot);
  const names = () => room.state.get()?.room.participants.map(({ name }) => name) ?? [];
  const asked = () =>
    connection.asked.filter(({ name }) => name === 'rooms/people').map(({ payload }) => payload['which']);
  const answer = (...participants: Participant[]) =>
    connection.last('rooms/people').answer({ participants, hasMore: true } satisfies SomePeople);
  return { connection, timer, roster, asked, answer, names };
}

test('pages continue after each other, and contain no participant twice', async () => {
  const { roster, asked, answer, names } = await inLargeRoom();
  const more = roster.more();
  expect(asked()).toEqual([{ type: 'after', uid: person(49).uid }]);
  await answer(person(49), person(50));
  await more;
  expect(names().filter((name) => name === 'Guest 49')).toHaveLength(1);
  expect(names()).toContain('Guest 50');
  void roster.more();
  expect(asked().at(-1)).toEqual({ type: 'after', uid: person(50).uid });
});

test('a page of people who are all known is followed by the next one', async () => {
  const { roster, asked, answer, names } = await inLargeRoom();
  const more = roster.more();
  await answer(person(48), person(49));
  expect(asked()).toHaveLength(2);
  await answer(person(50));
  await more;
  expect(names()).toContain('Guest 50');
  expect(asked()).toHaveLength(2);
});

test('a participant who leaves while a page is loading is not added', async () => {
  const { connection, roster, answer, names } = await inLargeRoom();
  const more = roster.more();
  connection.pushToRoom({ type: 'rooms/participantLeft', uid: person(60).uid, people: 299 });
  await answer(person(60), person(61));
  await more;
  expect(names()).toContain('Guest 61');
  expect(names()).not.toContain('Guest 60');
});

test('a name in a message is looked up once, unless it is known', async () => {
  const { connection, timer, asked, answer, names } = await inLargeRoom([
    message(1, { text: 'me@home, @guest and @Zora hi' }),
  ]);
  timer.pass(5000);
  expect(asked()).toEqual([{ type: 'named', letters: 'zora' }]);
  await answer(person(200, 'Zora Quist'));
  expect(names()).toContain('Zora Quist');
  connection.pushToRoom({ type: 'rooms/messageSent', message: message(2, { text: '@Zora @Nobody' }) });
  connection.pushToRoom({ type: 'rooms/messageSent', message: message(3, { text: '@nobody?' }) });
  timer.pass(5000);
  expect(asked().slice(1)).toEqual([{ type: 'named', letters: 'nobody' }]);
});

test('the host and the guest who is offered the room are loaded', async () => {
  const { connection, asked } = await inLargeRoom();
  connection.pushToRoom({ type: 'rooms/handOver', handOver: { to: person(90).uid, untilMs: 1, leaves: false } });
  connection.pushToRoom({ type: 'rooms/hostChanged', host: person(91).uid, hostAwaySince: null });
  expect(asked()).toEqual([
    { type: 'these', uids: [person(90).uid] },
    { type: 'these', uids: [person(91).uid] },
  ]);
});

test('a guest of an audience asks for no person by name, and forgets whom the page knew when the room becomes one', async () => {
  const { connection, timer, names, asked } = await inLargeRoom([], 1000);
  expect(names()).toHaveLength(51);
  connection.pushToRoom({ type: 'rooms/headCount', people: 1001 });
  expect(names().sort()).toEqual(['Ivo', host.name].sort());
  connection.pushToRoom({ type: 'rooms/messageSent', message: message(9, { text: 'and what says @zora?' }) });
  timer.pass(60_000);
  expect(asked()).toEqual([]);
});

test('once an audience has become a large room again, its pages begin anew', async () => {
  const { connection, roster, names, asked } = await inLargeRoom([], 1001);
  connection.pushToRoom({ type: 'rooms/headCount', people: 1000 });
  expect(names().sort()).toEqual(['Ivo', host.name].sort());
  void roster.more();
  expect(asked()).toEqual([{ type: 'after', uid: null }]);
});
