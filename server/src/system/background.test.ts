/** When tasks in the background run. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBackground } from './background.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('nothing runs by itself before the start, and what is added later runs as well', async () => {
  const background = createBackground({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });
  const runs = { early: 0, late: 0 };
  background.every(1000, 'early', async () => void (runs.early += 1));
  await vi.advanceTimersByTimeAsync(3000);
  expect(runs).toEqual({ early: 0, late: 0 });
  background.start();
  background.every(2000, 'late', async () => void (runs.late += 1));
  await vi.advanceTimersByTimeAsync(4000);
  expect(runs).toEqual({ early: 4, late: 2 });
  await background.stop();
  await vi.advanceTimersByTimeAsync(4000);
  expect(runs).toEqual({ early: 4, late: 2 });
});
