import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { within } from './within.ts';

test('an answer that came while the process was held up is in time', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const asking = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void asking.destroy());
  const [other] = (await once(server, 'connection')) as [typeof asking];
  onTestFinished(() => void other.destroy());
  const answer = within(20, once(asking, 'data').then(String), 'late');
  // The timers that are due come before what has arrived.
  await nextTurn();
  other.write('an answer');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(await answer).toBe('an answer');
});

test('what does not come in time is not waited for', async () => {
  expect(await within(1, new Promise(() => undefined), 'late')).toBe('late');
});
