/** The server answers and its database is away: what the user sees, and what happens to messages. */
import { expect, test } from 'vitest';
import { createFakeClock, settle } from '../../testing/fake-clock.ts';
import { aLiveConnection } from '../../testing/fake-link.ts';
import { aSnapshot, uidOf, clientId, countingClientIds } from '../../testing/connection-fixtures.ts';
import { createChatModel } from '../rooms/chat/chat-model.ts';
import { testRoomCode, roomSnapshot } from '../../testing/room-fixtures.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import type { Waiting } from '../messages/outbox.ts';
import { createPrivateOutbox } from './chats-model.ts';

const unavailable = { ok: false, error: { code: 'server/unavailable' } } as const;

async function aPage() {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  const storage = memoryStorage();
  const newClientId = countingClientIds();
  const self = uidOf('M');
  const parts = { connection, clock, storage, newClientId };
  const outbox = createPrivateOutbox({ ...parts, self, onSent: () => undefined });
  const chat = createChatModel({ ...parts, kind: 'video', code: testRoomCode, selfUid: self }, roomSnapshot('video'));
  const kept = () => storage.keys().map((key) => (JSON.parse(storage.getItem(key) ?? '') as { one: Waiting }).one);
  await welcome(aSnapshot());
  const asked = (name: string) =>
    server.waiting.flatMap((each) => (each.name === name ? [(each.payload as { clientId: string }).clientId] : []));
  return { clock, connection, server, kept, outbox, chat, asked };
}

test('a request refused once with server/unavailable is sent again on the same connection, with the same client id (CONN-18)', async () => {
  const { clock, connection, server, outbox, asked } = await aPage();
  outbox.send({ uid: uidOf('T') }, 'hello');
  await settle();
  await server.answer('chats/send', unavailable);
  expect(connection.status.get()).toEqual({ status: 'live' });
  await clock.advanceAsync(1000);
  expect(asked('chats/send')).toEqual([clientId(1)]);
  expect(server.opened()).toBe(1);
});

test('while the database is away the status is reconnecting, and no message is lost or sent twice (CONN-18)', async () => {
  const { clock, connection, server, kept, outbox, chat, asked } = await aPage();
  outbox.send({ uid: uidOf('T') }, 'to Theo');
  chat.send('to the room');
  await settle();
  for (const name of ['chats/send', 'rooms/sendMessage'] as const) await server.answer(name, unavailable);
  await clock.advanceAsync(1000);
  await server.answer('chats/send', unavailable);
  expect(connection.status.get()).toMatchObject({ status: 'reconnecting' });

  // The server still takes connections, and refuses each hello.
  for (let n = 0; n < 3; n += 1) {
    await clock.advanceAsync(30_000);
    await server.open();
    await server.answer('session/hello', unavailable);
    expect(connection.status.get()).toMatchObject({ status: 'reconnecting' });
    expect(kept()).toMatchObject([
      { clientId: clientId(1), text: 'to Theo', failure: null },
      { clientId: clientId(2), text: 'to the room', failure: null },
    ]);
    expect(chat.waiting.get()).toHaveLength(1);
  }
  await clock.advanceAsync(30_000);
  await server.welcome(aSnapshot());
  expect(connection.status.get()).toEqual({ status: 'live' });
  expect([asked('chats/send'), asked('rooms/sendMessage')]).toEqual([[clientId(1)], [clientId(2)]]);
  await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
  expect(outbox.waiting.get()).toEqual([]);
});

test('what the server could not save is shown as failed, and is sent by itself once it can (FAULT-4)', async () => {
  const { clock, server, outbox, asked } = await aPage();
  outbox.send({ uid: uidOf('T') }, 'hello');
  await settle();
  const full = { ok: false, error: { code: 'server/storage-full' } } as const;
  for (const waitMs of [5000, 10_000]) {
    await server.answer('chats/send', full);
    expect(outbox.waiting.get()).toMatchObject([{ clientId: clientId(1), failure: full.error }]);
    await clock.advanceAsync(waitMs);
    expect(asked('chats/send')).toEqual([clientId(1)]);
  }
  await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
  expect(outbox.waiting.get()).toEqual([]);
});
