import { pingEveryMs, pongWithinMs } from '@tunemate/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { heartbeats } from './socket-server.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turnMs = pingEveryMs / 25;

/** A client that answers pings for as long as it is alive. */
function client({ isAlive = true } = {}) {
  const link = {
    isAlive,
    pings: 0,
    endedAs: '',
    heardAtMs: performance.now(),
    ping() {
      link.pings += 1;
      if (link.isAlive) link.heardAtMs = performance.now();
    },
    terminate(end: string) {
      link.endedAs = end;
    },
  };
  return link;
}

test('each connection gets one ping in each interval, at a turn of its own (WIRE-71)', () => {
  const beats = heartbeats();
  const clients = Array.from({ length: 25 }, () => client());
  clients.forEach((each) => beats.add(each as never));
  const seen = new Set<string>();
  for (let turn = 0; turn < 25; turn += 1) {
    vi.advanceTimersByTime(turnMs);
    seen.add(clients.map(({ pings }) => pings).join(''));
  }
  expect(seen.size).toBe(25);
  expect(clients.map(({ pings }) => pings)).toEqual(clients.map(() => 1));
  vi.advanceTimersByTime(3 * pingEveryMs);
  expect(clients.map(({ pings }) => pings)).toEqual(clients.map(() => 4));
  expect(clients.every(({ endedAs }) => endedAs === '')).toBe(true);
  beats.close();
});

test('one that does not answer is ended as silent, not before it had its time, and the others stay (WIRE-71)', () => {
  const beats = heartbeats();
  const [dead, alive] = [client({ isAlive: false }), client()];
  for (const each of [dead, alive]) beats.add(each as never);
  while (dead.pings === 0) vi.advanceTimersByTime(turnMs);
  vi.advanceTimersByTime(pongWithinMs - turnMs);
  expect(dead.endedAs).toBe('');
  vi.advanceTimersByTime(turnMs);
  expect([dead.endedAs, alive.endedAs]).toEqual(['silent', '']);
  beats.close();
});

test('anything that it sends counts as an answer, and a connection that ended gets no ping (WIRE-71)', () => {
  const beats = heartbeats();
  const busy = client({ isAlive: false });
  const remove = beats.add(busy as never);
  while (busy.pings === 0) vi.advanceTimersByTime(turnMs);
  vi.advanceTimersByTime(turnMs);
  busy.heardAtMs = performance.now();
  vi.advanceTimersByTime(pongWithinMs);
  expect(busy.endedAs).toBe('');
  remove();
  const { pings } = busy;
  vi.advanceTimersByTime(2 * pingEveryMs);
  expect([busy.pings, busy.endedAs]).toEqual([pings, '']);
  beats.close();
});
