import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRange } from './byte-range.ts';

const part = (first: number, last: number) => ({ type: 'part', range: { first, last } });

test.each([
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-99', part(0, 99)],
  ['bytes=50-', part(50, 99)],
  ['bytes=-10', part(90, 99)],
  ['bytes=-1000', part(0, 99)],
  ['bytes=90-1000', part(90, 99)],
  ['BYTES=1-2', part(1, 2)],
  ['bytes=100-', { type: 'unsatisfiable' }],
  ['bytes=-0', { type: 'unsatisfiable' }],
  ['bytes=5-4', { type: 'whole' }],
  ['bytes=-', { type: 'whole' }],
  ['bytes=0-1,4-5', { type: 'whole' }],
  ['items=0-1', { type: 'whole' }],
  ['bytes=a-b', { type: 'whole' }],
  [undefined, { type: 'whole' }],
])('reads %j of 100 bytes', (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});

test('a part lies inside the file whatever is asked', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(1000), (text, from, to, size) => {
      for (const header of [
        text,
        `bytes=${String(from)}-${String(to)}`,
        `bytes=-${String(to)}`,
        `bytes=${String(from)}-`,
      ]) {
        const answer = readRange(header, size);
        if (answer.type !== 'part') continue;
        expect(answer.range.first).toBeLessThanOrEqual(answer.range.last);
        expect(answer.range.last).toBeLessThan(size);
      }
    }),
  );
});
