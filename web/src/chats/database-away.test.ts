/** The server is there and its database is not: what people see, and what becomes of what they write. */
import type { ClientId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../testkit/src/fake-clock.ts';
import { settled } from '../connection/fake-link.ts';
import { aLiveConnection } from '../connection/fake-live-connection.ts';
import { aSnapshot, uidOf } from '../connection/fixtures.ts';
import { createChatModel } from '../rooms/chat-model.ts';
import { memoryStorage } from '../store/memory-storage.ts';
import { createOutbox } from './outbox.ts';
import { outboxStorage } from './outbox-storage.ts';

const unavailable = { ok: false, error: { code: 'server/unavailable' } } as const;
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as ClientId;

async function aPage() {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  const storage = outboxStorage(memoryStorage(), uidOf('M'));
  let count = 0;
  const newClientId = () => idOf((count += 1));
  const outbox = createOutbox({ connection, clock, storage, newClientId, onSent: () => undefined });
  const chat = createChatModel({ connection, kind: 'video', code: 'ABC123', newClientId });
  await welcome(aSnapshot());
  const asked = (name: string) =>
    server.waiting.flatMap((each) => (each.name === name ? [(each.payload as { clientId: string }).clientId] : []));
  return { clock, connection, server, storage, outbox, chat, asked };
}

test('CONN-18 one server/unavailable is asked again on the same line, under the same client id', async () => {
  const { clock, connection, server, outbox, asked } = await aPage();
  outbox.send(uidOf('T'), 'hello');
  await settled();
  await server.answer('chats/send', unavailable);
  expect(connection.status.get()).toEqual({ status: 'live' });
  await clock.advanceAsync(1000);
  expect(asked('chats/send')).toEqual([idOf(1)]);
  expect(server.opened()).toBe(1);
});

test('CONN-18 while the database is away the line reads as reconnecting, and nothing that was written is lost or doubled', async () => {
  const { clock, connection, server, storage, outbox, chat, asked } = await aPage();
  outbox.send(uidOf('T'), 'to Theo');
  chat.send('to the room');
  await settled();
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
    expect(storage.load()).toMatchObject([{ clientId: idOf(1), text: 'to Theo', failure: null }]);
    expect(chat.log.get().outgoing).toMatchObject([{ clientId: idOf(2), text: 'to the room', failure: null }]);
  }
  await clock.advanceAsync(30_000);
  await server.welcome(aSnapshot());
  expect(connection.status.get()).toEqual({ status: 'live' });
  expect([asked('chats/send'), asked('rooms/sendMessage')]).toEqual([[idOf(1)], [idOf(2)]]);
  await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
  expect(outbox.waiting.get()).toEqual([]);
});
