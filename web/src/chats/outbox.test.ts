import { aLiveConnection } from '../../testing/fake-link.ts';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { aSnapshot, clientId, uidOf, countingClientIds } from '../../testing/connection-fixtures.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';
import type { Waiting } from '../messages/outbox.ts';
import { createPrivateOutbox } from './chats-model.ts';

const me = uidOf('M');
const theo = uidOf('T');
const toTheo = { uid: theo };

async function anOutbox(storage = memoryStorage()) {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  const newClientId = countingClientIds();
  const kept = () => JSON.parse(storage.getItem(`tunemate/outbox/${me}`) ?? '[]') as Waiting[];
  const sent: number[] = [];
  const onSent = ({ number }: { number: number }) => void sent.push(number);
  const outbox = createPrivateOutbox({ connection, clock, storage, self: me, newClientId, onSent });
  await welcome(aSnapshot());
  const payloads = () => server.waiting.filter(({ name }) => name === 'chats/send').map(({ payload }) => payload);
  return { outbox, server, clock, sent, kept, payloads, storage };
}

test.each(['', ' \n ', '\u200b'])('a blank message is not sent (%j)', async (text) => {
  const { outbox, payloads } = await anOutbox();
  expect(outbox.send(toTheo, text)).toBe(false);
  expect([outbox.waiting.get(), payloads()]).toEqual([[], []]);
});

test('messages to one person are sent one after another, in the order in which they were written', async () => {
  const { outbox, server, sent, payloads, kept } = await anOutbox();
  outbox.send(toTheo, ' one ');
  outbox.send(toTheo, 'two');
  await Promise.resolve();
  await expect.poll(payloads).toMatchObject([{ uid: theo, text: 'one' }]);
  await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
  expect(payloads()).toMatchObject([{ text: 'two' }]);
  await server.answer('chats/send', { ok: true, value: { message: { number: 2 } } });
  expect([sent, outbox.waiting.get(), kept()]).toEqual([[1, 2], [], []]);
});

test('a message that was unsent when the page closed is sent by the next page with the same client id', async () => {
  const before = await anOutbox();
  before.outbox.send(toTheo, 'still here');
  const after = await anOutbox(before.storage);
  after.outbox.sendAll();
  await expect
    .poll(after.payloads)
    .toEqual([{ clientId: '00000000-0000-4000-8000-000000000001', uid: theo, text: 'still here' }]);
});

test('a refused message stays with its reason, and a retry sends it with the same client id', async () => {
  const { outbox, server, payloads } = await anOutbox();
  outbox.send(toTheo, 'hello');
  await expect.poll(() => payloads().length).toBe(1);
  await server.answer('chats/send', { ok: false, error: { code: 'access/forbidden' } });
  const [failed] = outbox.waiting.get();
  expect(failed?.failure).toEqual({ code: 'access/forbidden' });
  outbox.retry(failed?.clientId ?? '');
  await expect.poll(payloads).toMatchObject([{ clientId: failed?.clientId, text: 'hello' }]);
});

test('what another tab stores is so here, but a message that is being sent stays when that tab has overwritten it', async () => {
  const { outbox, server, payloads, sent } = await anOutbox();
  outbox.send(toTheo, 'one');
  outbox.send(toTheo, 'two');
  await expect.poll(payloads).toMatchObject([{ text: 'one' }]);
  const before = outbox.waiting.get();
  const there = { ...toTheo, clientId: clientId(9), text: 'there', image: null, writtenAtMs: 1, failure: null };
  outbox.follow(before, [there]);
  expect(outbox.waiting.get().map(({ text }) => text)).toEqual(['there', 'one', 'two']);
  outbox.follow([there], []);
  await server.answer('chats/send', { ok: true, value: { message: { number: 1 } } });
  expect(payloads()).toMatchObject([{ text: 'two' }]);
  await server.answer('chats/send', { ok: true, value: { message: { number: 2 } } });
  expect([sent, outbox.waiting.get()]).toEqual([[1, 2], []]);
});

test('a message over the rate limit waits for as long as the server asks', async () => {
  const { outbox, server, payloads, clock } = await anOutbox();
  outbox.send(toTheo, 'hello');
  await expect.poll(() => payloads().length).toBe(1);
  await server.answer('chats/send', { ok: false, error: { code: 'limit/too-many', retryAfterMs: 900 } });
  expect([payloads(), outbox.waiting.get()[0]?.failure]).toEqual([[], null]);
  await clock.advanceAsync(900);
  expect(payloads()).toHaveLength(1);
});
