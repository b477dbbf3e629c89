import { describe, expect, test } from 'vitest';
import { closedWithTest } from './closed-with-test.ts';

describe('what a test opens', () => {
  const closed: string[] = [];
  const open = (name: string) =>
    closedWithTest(() => {
      closed.push(name);
      return Promise.resolve();
    });

  test.fails('and leaves open by failing', () => {
    open('first');
    open('second');
    throw new Error('the test');
  });

  test('was closed when it had finished, the last first; what it closed itself was closed once', async () => {
    expect(closed.splice(0)).toEqual(['second', 'first']);
    const close = open('third');
    await close();
    await close();
    expect(closed).toEqual(['third']);
  });
});
