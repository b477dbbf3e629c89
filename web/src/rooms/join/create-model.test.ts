import { roomKinds } from '@tunemate/protocol';
import { clientId, countingClientIds } from '../../../testing/connection-fixtures.ts';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { describe, expect, test } from 'vitest';
import { createCreateModel } from './create-model.ts';
import { testRoomCode } from '../../../testing/room-fixtures.ts';

const failed = { video: 'Failed to create room.', audio: 'Failed to create room' } as const;

describe.each(roomKinds)('creating a room of kind %s', (kind) => {
  function page() {
    const connection = createFakeConnection();
    return { connection, model: createCreateModel(connection, kind, countingClientIds()) };
  }

  test.each(['', '   ', '\u200b'])('shows that the name is missing when it is blank (%j)', async (typed) => {
    const { connection, model } = page();
    await model.create(typed);
    expect(model.status.get()).toMatchObject({ status: 'naming', nameError: 'Please enter a Room Name' });
    expect(connection.asked).toEqual([]);
  });

  test('shows the code of the new room', async () => {
    const { connection, model } = page();
    void model.create('  Friday Slow Burn ');
    expect(model.status.get()).toEqual({ status: 'creating' });
    expect(connection.last('rooms/create').payload).toEqual({ kind, name: 'Friday Slow Burn', clientId: clientId(1) });
    await connection.last('rooms/create').answer({ code: testRoomCode });
    expect(model.status.get()).toEqual({ status: 'created', code: testRoomCode, name: 'Friday Slow Burn' });
  });

  test('shows that creating failed, with the punctuation of the kind', async () => {
    const { connection, model } = page();
    void model.create('Friday');
    await connection.last('rooms/create').refuse('server/unavailable');
    expect(model.status.get()).toEqual({ status: 'naming', nameError: null, failure: { message: failed[kind] } });
    model.forget();
    expect(model.status.get()).toEqual({ status: 'naming', nameError: null, failure: null });
  });

  test('never creates two rooms for one attempt: the same name is sent with the same client id', async () => {
    const { connection, model } = page();
    void model.create('Friday');
    await connection.last('rooms/create').refuse('server/unavailable');
    void model.create('Friday');
    expect(connection.last('rooms/create').payload['clientId']).toBe(clientId(1));
    await connection.last('rooms/create').refuse('server/unavailable');
    void model.create('Saturday');
    expect(connection.last('rooms/create').payload['clientId']).toBe(clientId(2));
  });

  test('shows why a name is refused', async () => {
    const { connection, model } = page();
    await model.create('x'.repeat(101));
    expect(model.status.get()).toMatchObject({ nameError: 'A room name has at most 100 characters' });
    void model.create('a\u0007b');
    await connection.last('rooms/create').refuse('input/invalid');
    expect(model.status.get()).toMatchObject({ nameError: 'This name holds characters that cannot be shown' });
  });

  test('shows that a host may have five live rooms at most', async () => {
    const { connection, model } = page();
    void model.create('Friday');
    await connection.last('rooms/create').refuse('room/too-many-live-rooms');
    const text = 'You already host five rooms. End one of them first.';
    expect(model.status.get()).toMatchObject({ failure: { message: failed[kind], text } });
  });
});
