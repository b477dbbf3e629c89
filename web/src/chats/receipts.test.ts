import { aLiveConnection } from '../../testing/fake-link.ts';
import { pairId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { aSnapshot, uidOf } from '../../testing/connection-fixtures.ts';
import { createReceipts } from './chats-model.ts';

const withTheo = pairId.parse(`${uidOf('M')}_${uidOf('T')}`);
const withAda = pairId.parse(`${uidOf('A')}_${uidOf('M')}`);
const done = { ok: true, value: {} } as const;

async function setUp() {
  const clock = createFakeClock();
  const { connection, server, welcome } = aLiveConnection(clock);
  await welcome(aSnapshot());
  const receipts = createReceipts(connection, clock);
  const marks = () => server.waiting.filter(({ name }) => name === 'chats/mark').map(({ payload }) => payload);
  return { clock, server, welcome, receipts, marks };
}

test('marks made at the same time are combined into one per chat, and sent one chat after another', async () => {
  const { clock, server, receipts, marks } = await setUp();
  receipts.delivered(withTheo, 1);
  receipts.delivered(withAda, 7);
  for (const number of [2, 4, 3]) receipts.delivered(withTheo, number);
  receipts.read(withTheo, 2);
  expect(marks()).toEqual([]);
  await clock.advanceAsync(200);
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 4, readUpTo: 2 }]);
  await server.answer('chats/mark', done);
  expect(marks()).toEqual([{ pairId: withAda, deliveredUpTo: 7, readUpTo: 0 }]);
  await server.answer('chats/mark', done);
  await clock.advanceAsync(1000);
  expect(marks()).toEqual([]);
});

test('marks never go back, and a mark that changes nothing is not sent', async () => {
  const { clock, server, receipts, marks } = await setUp();
  receipts.read(withTheo, 5);
  await clock.advanceAsync(200);
  await server.answer('chats/mark', done);
  receipts.delivered(withTheo, 5);
  receipts.read(withTheo, 4);
  await clock.advanceAsync(1000);
  expect(marks()).toEqual([]);
  receipts.delivered(withTheo, 6);
  await clock.advanceAsync(200);
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 6, readUpTo: 5 }]);
});

test('marks made while others are being sent go with the next request', async () => {
  const { clock, server, receipts, marks } = await setUp();
  receipts.read(withTheo, 1);
  await clock.advanceAsync(200);
  receipts.read(withTheo, 2);
  receipts.read(withTheo, 3);
  await clock.advanceAsync(1000);
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 1, readUpTo: 1 }]);
  await server.answer('chats/mark', done);
  await clock.advanceAsync(200);
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 3, readUpTo: 3 }]);
});

test('marks that were lost with the connection are sent on the next one', async () => {
  const { clock, server, welcome, receipts, marks } = await setUp();
  receipts.read(withTheo, 3);
  await clock.advanceAsync(200);
  server.lose();
  await clock.advanceAsync(60_000);
  await welcome(aSnapshot());
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 3, readUpTo: 3 }]);
});

test('marks over the rate limit are sent again when the server allows it, with their latest numbers', async () => {
  const { clock, server, receipts, marks } = await setUp();
  receipts.read(withTheo, 1);
  await clock.advanceAsync(200);
  await server.answer('chats/mark', { ok: false, error: { code: 'limit/too-many', retryAfterMs: 900 } });
  receipts.read(withTheo, 2);
  await clock.advanceAsync(899);
  expect(marks()).toEqual([]);
  await clock.advanceAsync(1);
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 2, readUpTo: 2 }]);
});

test('marks that a session that is over did not take are sent once the user has signed in again', async () => {
  const { clock, server, receipts, marks } = await setUp();
  receipts.read(withTheo, 3);
  await clock.advanceAsync(200);
  await server.answer('chats/mark', { ok: false, error: { code: 'auth/required' } });
  receipts.read(withTheo, 3);
  await clock.advanceAsync(200);
  expect(marks()).toEqual([{ pairId: withTheo, deliveredUpTo: 3, readUpTo: 3 }]);
});
