import { expect, test } from 'vitest';
import { clampDeviceOffsetMs } from './follow-loop.ts';

test('a device offset stays within half a second either way', () => {
  expect([120, 900, -900, Number.NaN].map(clampDeviceOffsetMs)).toEqual([120, 500, -500, 0]);
});
