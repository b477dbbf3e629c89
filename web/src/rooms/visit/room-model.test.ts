import { roomKinds } from '@tunemate/protocol';
import { manualTimer } from '../../../testing/connection-fixtures.ts';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { describe, expect, test } from 'vitest';
import { createRoomModel, hostName, peopleInOrder, type RoomEvent, type RoomModel } from './room-model.ts';
import { testRoomCode, guest, guestUid, hostUid, roomSnapshot, stranger } from '../../../testing/room-fixtures.ts';

describe.each(roomKinds)('a member in a room of kind %s', (kind) => {
  function visit(selfUid: string) {
    const connection = createFakeConnection();
    const timer = manualTimer();
    const model = createRoomModel({ connection, kind, code: testRoomCode, selfUid, schedule: timer.schedule });
    return { connection, timer, model };
  }

  async function inside(selfUid: string = guestUid, snapshot = roomSnapshot(kind)) {
    const all = visit(selfUid);
    await all.connection.last('rooms/enter').answer(snapshot);
    return all;
  }

  const live = (model: RoomModel) => {
    const now = model.status.get();
    const state = model.state.get();
    if (now.status !== 'live' || state === null) throw new Error(`not live but ${now.status}`);
    return state;
  };

  test('enters by kind and code, and shows the room once the server answered', async () => {
    const { connection, model } = visit(guestUid);
    expect(model.status.get()).toEqual({ status: 'entering' });
    expect(connection.last('rooms/enter').payload).toEqual({ kind, code: testRoomCode });
    await connection.last('rooms/enter').answer(roomSnapshot(kind));
    expect(live(model).room.name).toBe('Friday Slow Burn');
    expect(hostName(live(model).room)).toBe('Mara');
  });

  test('enters again when a part of the room asks for a refresh', async () => {
    const { connection, model } = await inside();
    const events: RoomEvent[] = [];
    model.events.subscribe((each) => events.push(each));
    void model.refresh();
    void model.refresh();
    expect(connection.count('rooms/enter')).toBe(2);
    await connection.last('rooms/enter').answer(roomSnapshot(kind, { seq: 12 }));
    expect(events.map(({ type }) => type)).toEqual(['entered']);
  });

  test('a new host whose entry is refused enters again until the server answers', async () => {
    const { connection, timer } = await inside();
    connection.pushToRoom({ type: 'rooms/hostChanged', host: guestUid, hostAwaySince: null });
    await connection.last('rooms/enter').refuse('server/failed');
    timer.pass(2000);
    expect(connection.count('rooms/enter')).toBe(3);
  });

  test('applies each change of the stream', async () => {
    const { connection, model } = await inside();
    const ada = { uid: stranger, name: 'Ada', online: true };
    connection.pushToRoom({ type: 'rooms/participantJoined', participant: ada, people: 3 });
    connection.pushToRoom({ type: 'rooms/participantJoined', participant: ada, people: 3 });
    connection.pushToRoom({ type: 'rooms/participantPresence', uid: ada.uid, online: false });
    connection.pushToRoom({ type: 'rooms/participantRenamed', uid: hostUid, name: 'Mara L' });
    connection.pushToRoom({ type: 'rooms/hostAway', hostAwaySince: 5000 });
    expect(live(model).room.participants.map(({ name, online }) => [name, online])).toEqual([
      ['Mara L', true],
      ['Ivo', true],
      ['Ada', false],
    ]);
    expect(live(model).room.hostAwaySince).toBe(5000);
    connection.pushToRoom({ type: 'rooms/participantLeft', uid: ada.uid, people: 2 });
    expect(live(model).room.participants).toHaveLength(2);
    expect(live(model).seq).toBe(16);
  });

  test('enters again when its copy is incomplete, and applies the fresh snapshot', async () => {
    const { connection, model } = await inside();
    const again = connection.subscriber()?.resnapshot();
    await connection.last('rooms/enter').answer(roomSnapshot(kind, { seq: 99 }));
    expect(await again).toBe(99);
    expect(live(model).seq).toBe(99);
  });

  test('emits what it receives: the snapshot, then each change in sequence', async () => {
    const { connection, model } = visit(guestUid);
    const heard: RoomEvent['type'][] = [];
    model.events.subscribe(({ type }) => heard.push(type));
    await connection.last('rooms/enter').answer(roomSnapshot(kind));
    connection.pushToRoom({ type: 'rooms/hostAway', hostAwaySince: 1 });
    expect(heard).toEqual(['entered', 'rooms/hostAway']);
  });

  test.each([
    ['room/not-member', 'not-member'],
    ['room/not-found', 'not-found'],
  ] as const)('turns the refusal %s into a state that stays', async (code, reason) => {
    const { connection, model } = visit(stranger);
    await connection.last('rooms/enter').refuse(code);
    expect(model.status.get()).toEqual({ status: 'refused', reason });
  });

  test('ends for guests when the host ends the room', async () => {
    const { connection, model } = await inside();
    connection.pushToRoom({ type: 'rooms/ended' });
    expect(model.status.get()).toEqual({ status: 'ended' });
    expect(connection.subscriber()).toBeNull();
  });

  test('ends when the room ended while the connection was lost', async () => {
    const { connection, model } = await inside();
    const again = connection.subscriber()?.resnapshot();
    await connection.last('rooms/enter').refuse('room/not-found');
    expect(await again).toBeNull();
    expect(model.status.get()).toEqual({ status: 'ended' });
  });

  test('is not found for the host whose other tab ended it', async () => {
    const { connection, model } = await inside(hostUid);
    connection.pushToRoom({ type: 'rooms/ended' });
    expect(model.status.get()).toEqual({ status: 'refused', reason: 'not-found' });
  });

  test('has left when the user is removed from the participants, in this tab or another', async () => {
    const { connection, model } = await inside();
    connection.pushToRoom({ type: 'rooms/participantLeft', uid: guestUid, people: 1 });
    expect(model.status.get()).toEqual({ status: 'left' });
  });

  test('is left by the host whose own Leave ended it, also when the end arrives before the answer', async () => {
    const { connection, model } = await inside(hostUid);
    const left = model.leave(true);
    connection.pushToRoom({ type: 'rooms/ended' });
    expect(model.status.get()).toEqual({ status: 'left' });
    await connection.last('rooms/leave').answer({});
    expect(await left).toEqual({ ok: true, value: {} });
    expect(model.status.get()).toEqual({ status: 'left' });
  });

  test('leaves by a request to the server; a room that is gone counts as left, a lost connection does not', async () => {
    const { connection, model } = await inside();
    const failed = model.leave(false);
    await connection.last('rooms/leave').refuse('server/unavailable');
    expect((await failed).ok).toBe(false);
    expect(model.status.get().status).toBe('live');
    const left = model.leave(false);
    await connection.last('rooms/leave').refuse('room/not-found');
    expect(await left).toEqual({ ok: true, value: {} });
    expect(model.status.get()).toEqual({ status: 'left' });
  });

  test('tries again by itself when the server is too busy', async () => {
    const { connection, timer, model } = visit(guestUid);
    await connection.last('rooms/enter').refuse('limit/too-many', 1000);
    expect(model.status.get()).toEqual({ status: 'entering' });
    timer.pass(2000);
    expect(connection.count('rooms/enter')).toBe(2);
  });

  test('a final refusal ends the visit with a failure', async () => {
    for (const [code, reason] of [
      ['input/invalid', 'not-found'],
      ['server/failed', 'failed'],
      ['access/forbidden', 'failed'],
    ] as const) {
      const { connection, timer, model } = visit(guestUid);
      await connection.last('rooms/enter').refuse(code);
      expect(model.status.get()).toEqual({ status: 'refused', reason });
      timer.pass(10_000);
      expect(connection.count('rooms/enter')).toBe(1);
    }
  });

  test('a user who has entered already stays, and the tab keeps trying', async () => {
    const { connection, model } = await inside();
    void model.refresh();
    await connection.last('rooms/enter').refuse('server/failed');
    expect(model.status.get().status).toBe('live');
  });

  test('stops receiving when the user leaves the screen, and stays a participant', async () => {
    const { connection, model } = await inside();
    model.close();
    expect(connection.last('rooms/close').payload).toEqual({ kind, code: testRoomCode });
    expect(connection.count('rooms/leave')).toBe(0);
    expect(connection.subscriber()).toBeNull();
  });

  test('leaves the room on the server too when the visit is closed while it is still entering', async () => {
    const { connection, model } = visit(guestUid);
    model.close();
    expect(connection.last('rooms/close').payload).toEqual({ kind, code: testRoomCode });
  });

  test('sends nothing when a visit that is over is closed', async () => {
    const { connection, model } = visit(guestUid);
    await connection.last('rooms/enter').refuse('room/not-found');
    model.close();
    expect(connection.count('rooms/close')).toBe(0);
  });

  test('tries again while the session is refused: the session model decides whether a user is signed in', async () => {
    const { connection, timer, model } = visit(guestUid);
    await connection.last('rooms/enter').refuse('auth/required');
    timer.pass(2000);
    await connection.last('rooms/enter').answer(roomSnapshot(kind));
    expect(model.status.get().status).toBe('live');
  });

  test('lists the host first, then the others as they joined', async () => {
    const snapshot = roomSnapshot(kind);
    const room = {
      ...snapshot.room,
      participants: [guest, ...snapshot.room.participants.filter(({ uid }) => uid === hostUid)],
    };
    expect(peopleInOrder(room).map(({ name }) => name)).toEqual(['Mara', 'Ivo']);
  });
});
