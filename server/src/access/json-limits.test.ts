/** How many values a message may have; bad-input.test.ts sends the other shapes to a server. */
import { expect, test } from 'vitest';
import { isWithinJsonLimits } from './limits.ts';

test('a message of more than twenty thousand values is too much, however flat (WIRE-12)', () => {
  const list = (length: number) => ({ uids: Array.from({ length }, () => 1) });
  // The message and its list are values too.
  expect([isWithinJsonLimits(list(19_998)), isWithinJsonLimits(list(19_999))]).toEqual([true, false]);
});
