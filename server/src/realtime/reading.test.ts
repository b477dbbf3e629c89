/** How much answers that are not read may hold, of a connection and of a network, and who is served meanwhile. */
import { expect, test } from 'vitest';
import { createReading, mostUnread, mostUnreadOfNetwork } from './reading.ts';

const answer = 100 * 1024;

/** A client that reads when it is told to. */
function client(reading: ReturnType<typeof createReading>, network: string) {
  const flushes: (() => void)[] = [];
  const link = {
    owner: { session: { uid: 'u', sessionId: 's' }, address: network },
    isOpen: true,
    unsent: { bytes: 0, frames: 0 },
    flushed: () => new Promise<void>((resolve) => flushes.push(resolve)),
  };
  const leave = reading.add(link);
  return {
    link,
    leave,
    read(bytes: number) {
      link.unsent.bytes -= bytes;
      for (const resolve of flushes.splice(0)) resolve();
    },
    mayBeServed: () => reading.mayBeServed(link),
  };
}

type Client = ReturnType<typeof client>;

/** Answers each for as long as it may be served. */
function fill(clients: readonly Client[]): number {
  for (let isOn = true; isOn;) {
    const served = clients.filter((each) => each.mayBeServed() && (each.link.unsent.bytes += answer) > 0);
    isOn = served.length > 0;
  }
  return clients.reduce((sum, { link }) => sum + link.unsent.bytes, 0);
}

const many = (reading: ReturnType<typeof createReading>, network: string, count = 80) =>
  Array.from({ length: count }, () => client(reading, network));

test('a client that reads nothing is left with the bound of a connection and one answer (WIRE-48)', () => {
  expect(fill([client(createReading(), '192.0.2.1')])).toBeLessThanOrEqual(mostUnread + answer);
});

test('eighty clients of one network that read nothing hold little more than an answer each (WIRE-48)', () => {
  expect(fill(many(createReading(), '192.0.2.1'))).toBeLessThanOrEqual(mostUnreadOfNetwork + 80 * answer);
  const reading = createReading();
  const ofOneCustomer = Array.from({ length: 80 }, (_, n) => client(reading, `2001:db8:1:${n.toString(16)}`));
  expect(fill(ofOneCustomer)).toBeLessThanOrEqual(mostUnreadOfNetwork + 80 * answer);
});

test('beside them those of their network who read are served, as those elsewhere are', async () => {
  const reading = createReading();
  const stuck = many(reading, '192.0.2.1');
  fill(stuck);
  const [slow, elsewhere] = [client(reading, '192.0.2.1'), client(reading, '192.0.2.2')];
  expect([slow.mayBeServed(), elsewhere.mayBeServed()]).toEqual([true, true]);
  slow.link.unsent.bytes = elsewhere.link.unsent.bytes = answer;
  expect([slow.mayBeServed(), elsewhere.mayBeServed()]).toEqual([false, true]);
  let isServed = false;
  const untilRead = reading.untilRead(slow.link).then(() => (isServed = true));
  slow.read(answer / 2);
  await Promise.resolve();
  expect(isServed).toBe(false);
  slow.read(answer / 2);
  await untilRead;
  for (const each of stuck) each.leave();
  slow.link.unsent.bytes = answer;
  expect(slow.mayBeServed()).toBe(true);
});

test('a client that is gone waits for nothing', async () => {
  const reading = createReading();
  const gone = client(reading, '192.0.2.1');
  gone.link.unsent.bytes = 10 * mostUnread;
  gone.link.isOpen = false;
  await reading.untilRead(gone.link);
});
