import { expect, test, vi } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { reloadOnce } from './page-life.ts';

test('an outdated page is reloaded once, not in a loop', () => {
  const page = { reload: vi.fn() };
  const storage = memoryStorage();
  const keep = vi.fn();
  expect(reloadOnce(storage, { page, keep, nowMs: 1_000_000 })).toBe(true);
  expect(reloadOnce(storage, { page, keep, nowMs: 1_030_000 })).toBe(false);
  expect(page.reload).toHaveBeenCalledOnce();
  expect(keep).toHaveBeenCalledOnce();
  expect(reloadOnce(storage, { page, keep, nowMs: 9_000_000 })).toBe(true);
});
