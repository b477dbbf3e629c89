/** What taking unseen marks out of a text costs. What is taken out, the tests of names and messages show. */
import { expect, test } from 'vitest';
import { cleanMessage } from './characters.ts';

/** Of many tries, of which a busy machine leaves some alone. */
const leastMs = (text: string) => {
  const times = Array.from({ length: 15 }, () => {
    const startedAt = performance.now();
    cleanMessage(text);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
};

test('a message of unseen marks alone costs about as much as one of letters and marks', () => {
  const usual = leastMs('a\u034f'.repeat(4000));
  // What follows each of them, looked for through all the others, is several hundred times as much.
  for (const mark of ['\u034f', '\u200d', '\ufe0f'])
    expect(leastMs(mark.repeat(8000)), mark.codePointAt(0)?.toString(16)).toBeLessThan(usual * 30);
});

test('a joiner is kept by the next letter or emoji that is seen, behind any other marks', () => {
  expect(cleanMessage('\u{1f469}\u200d\u034f\u034f\u{1f469} a\u200d\u034fb')).toBe('\u{1f469}\u200d\u{1f469} ab');
  expect(cleanMessage('\u{1f469}\u200d\u034f')).toBe('\u{1f469}');
});
