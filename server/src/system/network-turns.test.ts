import { expect, test } from 'vitest';
import { createNetworkTurns } from './network-turns.ts';

/** Work that ends when the test says so, and the order in which it began. */
function stage(queueLength: number) {
  const inTurn = createNetworkTurns({ atOnce: 1, queueLength, whenFull: 'test.queue-full' });
  const began: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  return {
    began,
    refused,
    ask(network: string, isKnown = false) {
      const work = () => {
        began.push(network);
        return new Promise<void>((end) => ends.push(end));
      };
      inTurn({ network, isKnown }, work).catch(() => refused.push(network));
    },
    async finish(count: number) {
      for (let n = 0; n < count; n += 1) {
        ends.shift()?.();
        await new Promise((later) => setImmediate(later));
      }
    },
  };
}

test('networks take turns, however many of one wait', async () => {
  const { ask, finish, began } = stage(64);
  for (let n = 0; n < 10; n += 1) ask('a');
  ask('b');
  ask('c');
  await finish(6);
  expect(began).toEqual(['a', 'a', 'b', 'c', 'a', 'a', 'a']);
});

test('all networks of one IPv6 customer are one in the order', async () => {
  const { ask, finish, began } = stage(64);
  for (let n = 0; n < 10; n += 1) ask(`2001:db8:7:${n.toString(16)}`);
  ask('203.0.113.9');
  await finish(2);
  expect(began.at(-1)).toBe('203.0.113.9');
});

test('when too many wait, the network with the most of them loses its last place to another', async () => {
  const { ask, finish, began, refused } = stage(8);
  ask('running');
  for (let n = 0; n < 8; n += 1) ask('flood');
  for (const network of ['b', 'c', 'd']) ask(network);
  await finish(0);
  await new Promise((later) => setImmediate(later));
  expect(refused).toEqual(['flood', 'flood', 'flood']);
  ask('flood');
  await new Promise((later) => setImmediate(later));
  expect(refused).toHaveLength(4);
  await finish(4);
  expect(new Set(began)).toEqual(new Set(['running', 'flood', 'b', 'c', 'd']));
});

test('every second turn is of known people, who are refused only when too many of them wait', async () => {
  const { ask, finish, began, refused } = stage(2);
  ask('running');
  for (const network of ['a', 'b', 'c']) ask(network);
  ask('owner', true);
  ask('other', true);
  await finish(4);
  expect(began).toEqual(['running', 'owner', 'a', 'other', 'b']);
  expect(refused).toEqual(['c']);
});
