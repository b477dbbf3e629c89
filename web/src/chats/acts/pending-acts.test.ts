import { expect, test } from 'vitest';
import { aSnapshot, countingClientIds, uidOf } from '../../../testing/connection-fixtures.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { aLiveConnection } from '../../../testing/fake-link.ts';
import { memoryStorage } from '../../../testing/memory-storage.ts';
import { aMessage, pairOf } from '../../../testing/screens/people.ts';
import { createPendingActs } from './pending-acts.ts';

const [me, theo] = [uidOf('M'), uidOf('T')];
const of = { pairId: pairOf(me, theo), number: 1 };
const done = { ok: true, value: {} } as const;
const fire = { type: 'react', emoji: '🔥', isOn: true } as const;

async function open(storage = memoryStorage()) {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  const newClientId = countingClientIds();
  const lost: string[] = [];
  const onRefused = ({ type }: { type: string }) => void lost.push(type);
  const acts = createPendingActs({ connection, clock, storage, self: me, newClientId, onRefused });
  const refused = () => acts.refused.get().map(({ act, refusal }) => `${act.type} ${refusal.code}`);
  await welcome(aSnapshot());
  const asked = () => server.waiting.filter(({ name }) => name.startsWith('chats/')).map(({ name }) => name);
  const kept = () => storage.keys();
  return { acts, server, clock, asked, kept, refused, lost, storage };
}

test('acts are sent one after another, in the order in which they were done', async () => {
  const { acts, server, asked, kept } = await open();
  acts.add(of, { type: 'edit', text: 'new', edits: 1 });
  acts.add(of, fire);
  acts.add(of, { type: 'delete' });
  await expect.poll(asked).toEqual(['chats/edit']);
  await server.answer('chats/edit', done);
  await expect.poll(asked).toEqual(['chats/react']);
  await server.answer('chats/react', done);
  await expect.poll(asked).toEqual(['chats/delete']);
  await server.answer('chats/delete', done);
  await expect.poll(kept).toEqual([]);
});

test('what was not sent when the page closed is sent by the next page under the same client id', async () => {
  const before = await open();
  before.acts.add(of, fire);
  await expect.poll(before.asked).toEqual(['chats/react']);
  const after = await open(before.storage);
  await expect.poll(after.asked).toEqual(['chats/react']);
  const [first] = before.server.waiting.filter(({ name }) => name === 'chats/react');
  const [again] = after.server.waiting.filter(({ name }) => name === 'chats/react');
  expect(again?.payload).toEqual(first?.payload);
});

test('an act is shown until its change has come, or a second after its answer', async () => {
  const { acts, server, clock, asked } = await open();
  acts.add(of, fire);
  await expect.poll(asked).toEqual(['chats/react']);
  const change = {
    type: 'chats/messageChanged',
    message: aMessage(theo, 1, { ...of, revision: 1 }),
    unread: 0,
  } as const;
  // The change of another person, before the answer.
  acts.receive(change);
  expect(acts.acts.get()).toHaveLength(1);
  await server.answer('chats/react', done);
  expect(acts.acts.get()).toHaveLength(1);
  acts.receive(change);
  expect(acts.acts.get()).toEqual([]);
  acts.add(of, { ...fire, isOn: false });
  await expect.poll(asked).toEqual(['chats/react']);
  await server.answer('chats/react', done);
  await clock.advanceAsync(1000);
  expect(acts.acts.get()).toEqual([]);
});

test('a refused act is dropped with its reason, and the next one is sent', async () => {
  const { acts, server, asked, refused, lost, kept } = await open();
  acts.add(of, { type: 'edit', text: 'late', edits: 1 });
  acts.add(of, fire);
  await expect.poll(asked).toEqual(['chats/edit']);
  await server.answer('chats/edit', { ok: false, error: { code: 'access/forbidden' } });
  expect([refused(), lost]).toEqual([['edit access/forbidden'], ['edit']]);
  acts.refused.get().forEach(acts.dismiss);
  expect(refused()).toEqual([]);
  await expect.poll(asked).toEqual(['chats/react']);
  expect(kept()).toHaveLength(1);
});

test('an act over the rate limit waits for as long as the server asks', async () => {
  const { acts, server, clock, asked } = await open();
  acts.add(of, fire);
  await expect.poll(asked).toEqual(['chats/react']);
  await server.answer('chats/react', { ok: false, error: { code: 'limit/too-many', retryAfterMs: 900 } });
  expect(asked()).toEqual([]);
  await clock.advanceAsync(900);
  await expect.poll(asked).toEqual(['chats/react']);
});
