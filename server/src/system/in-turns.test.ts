/** What several works do to others that wait. */
import { setImmediate } from 'node:timers';
import { expect, test } from 'vitest';
import { sortedInTurns, turns } from './in-turns.ts';

test('works that go on at once have one turn in each round of the event loop, each in its time', async () => {
  const said: string[] = [];
  let isOver = false;
  const watch = (): void => {
    said.push('|');
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  const work = async (name: string): Promise<void> => {
    const turn = turns();
    for (let n = 0; n < 3; n += 1) {
      await turn.give();
      said.push(name);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  const rounds = said.join('').split('|').filter(Boolean);
  expect(rounds).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
});

test('what is sorted in turns is sorted as usual, and equal ones keep their order', async () => {
  const all = Array.from({ length: 5000 }, (_, at) => ({ at, key: Math.imul(at, 2_654_435_761) >>> 27 }));
  const order = (a: { key: number }, b: { key: number }): number => a.key - b.key;
  expect(await sortedInTurns(all, order)).toEqual(all.toSorted(order));
});
