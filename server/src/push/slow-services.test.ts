/** Push services that take messages and never answer: what is left for everybody else. */
import { createDeviceKeys, type PushServer, startPushServer } from '@tunemate/testkit/fakes/push-device';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceOf } from './push.ts';

let world: SocketWorld;
let slow: PushServer;
let fast: PushServer;
beforeAll(async () => {
  [slow, fast] = [await startPushServer({ isSilent: true }), await startPushServer()];
  world = await openSocketWorld();
});
afterAll(async () => {
  await slow.close();
  await fast.close();
  await world.close();
});

let devices = 0;
/** Somebody away, with one device at this service. */
async function away(service: PushServer): Promise<Person & { path: string }> {
  const person = await world.person('Ivo');
  const path = `/device-${String((devices += 1))}`;
  const { sessionId, uid } = person;
  const keys = JSON.stringify({ ...createDeviceKeys().keys, sessionId });
  const row = { endpoint: `${service.url}${path}`, uid, keys, created_at_ms: world.clock.now() };
  await world.db.insertInto('push_subscriptions').values(row).execute();
  return { ...person, path };
}
const write = async (from: Tab, to: Person) =>
  valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text: 'hello' }));
const droppedCount = () => world.app.log.filter(({ event }) => event === 'push.dropped').length;

test('one push service that does not answer holds 100 places, and one person 10; others are notified as before', async () => {
  const before = droppedCount();
  const mara = await world.arrive('Mara');
  const one = await away(slow);
  const senders = await Promise.all(Array.from({ length: 12 }, (_, index) => world.arrive(`Sender ${String(index)}`)));
  for (const sender of senders) await write(sender, one);
  await expect.poll(() => droppedCount() - before).toBe(2);
  await expect.poll(() => slow.at(one.path).length).toBe(10);

  const crowd: (Person & { path: string })[] = [];
  for (let index = 0; index < 95; index += 1) crowd.push(await away(slow));
  // The number of new chats with strangers a day is limited.
  for (const [index, person] of crowd.entries()) await write(senders[index % senders.length] ?? mara, person);
  await expect.poll(() => droppedCount() - before).toBe(2 + 5);
  await expect.poll(() => [one, ...crowd].flatMap(({ path }) => slow.at(path)).length).toBe(100);

  const ivo = await away(fast);
  await write(mara, ivo);
  await expect.poll(() => fast.at(ivo.path).length).toBe(1);
});

test('all hosts of one registered domain are one push service', () => {
  expect(serviceOf('https://a.b.push.example.com/x')).toBe(serviceOf('https://c.example.com:8443/y'));
  expect(serviceOf('https://a.example.com/x')).not.toBe(serviceOf('https://a.example.org/x'));
  expect(serviceOf('http://127.0.0.1:1/x')).not.toBe(serviceOf('http://127.0.0.1:2/x'));
});
