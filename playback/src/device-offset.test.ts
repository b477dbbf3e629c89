import { expect, it } from 'vitest';
import { clampDeviceOffsetMs, saneOutputLatencyMs } from './device-offset.ts';

it('SYNC-28 a device offset stays within half a second either way', () => {
  expect([120, 900, -900, Number.NaN].map(clampDeviceOffsetMs)).toEqual([120, 500, -500, 0]);
});

it('SYNC-28 an output latency is believed only up to 100 ms', () => {
  expect([0.04, 0.1, 0.101, 0, -1, Number.NaN, undefined].map(saneOutputLatencyMs)).toEqual([40, 100, 0, 0, 0, 0, 0]);
});
