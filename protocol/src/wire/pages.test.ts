/** What reading a misspelled address of a page costs, which any stranger may ask for. */
import { expect, test } from 'vitest';
import { properPath } from './pages.ts';

test('an address of thousands of marks costs about as much as one of letters', () => {
  /** The least of many tries, of which a busy machine leaves some alone. */
  const timeOf = (character: string) => {
    const path = `/join${character.repeat(15_000)}a`;
    const times = Array.from({ length: 15 }, () => {
      const startedAt = performance.now();
      expect(properPath(path)).toBeNull();
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  };
  timeOf('a');
  const usual = timeOf('a');
  // Where they end, looked for from each of them, is more than a thousand times as much.
  for (const mark of ['!', '.', ')', ' ']) expect(timeOf(mark), mark).toBeLessThan(usual * 100);
});
