import { describe, expect, test } from 'vitest';
import { seekTarget } from './SeekBar.tsx';

describe('seekTarget', () => {
  test.each([
    ['ArrowRight', 100, 105],
    ['ArrowLeft', 100, 95],
    ['ArrowUp', 100, 105],
    ['ArrowDown', 100, 95],
    ['PageUp', 100, 130],
    ['PageDown', 100, 70],
    ['Home', 100, 0],
    ['End', 100, 200],
    ['ArrowLeft', 3, 0],
    ['ArrowRight', 198, 200],
  ])('%s at %i s seeks to %i s of 200', (key, from, target) => {
    expect(seekTarget(key, from, 200)).toBe(target);
  });

  test('other keys do not seek', () => {
    expect(seekTarget('Tab', 100, 200)).toBeNull();
    expect(seekTarget('a', 100, 200)).toBeNull();
  });
});
