import { describe, expect, test } from 'vitest';
import { tileShapes } from './tile-shapes.ts';

describe('tileShapes', () => {
  test('has one shape for each hexadecimal character, no two alike', () => {
    expect(Object.keys(tileShapes).toSorted()).toEqual('0123456789ABCDEF'.split(''));
    expect(new Set(Object.values(tileShapes)).size).toBe(16);
  });
});
