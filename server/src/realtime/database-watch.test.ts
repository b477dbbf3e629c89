import { expect, test, vi } from 'vitest';
import { databaseWatch } from './hub.ts';

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

test('people are sent away once the database was away three times in a row, and again while it is away', async () => {
  let isReachable = true;
  const leave = vi.fn();
  const look = databaseWatch({ isReachable: () => Promise.resolve(isReachable), leave, log });
  await look();
  isReachable = false;
  await look();
  await look();
  isReachable = true;
  await look();
  isReachable = false;
  await look();
  await look();
  expect(leave).not.toHaveBeenCalled();
  await look();
  expect(leave).toHaveBeenCalledTimes(1);
  await look();
  expect(leave).toHaveBeenCalledTimes(2);
  expect(log.warn).toHaveBeenCalledTimes(1);
});
