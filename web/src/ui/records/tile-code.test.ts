import { describe, expect, test } from 'vitest';
import { tileShapes } from './tile-code.ts';

describe('TILE_SHAPES', () => {
  test('has one shape for each hexadecimal character, no two alike', () => {
    expect(Object.keys(tileShapes).toSorted()).toEqual('0123456789ABCDEF'.split(''));
    expect(new Set(Object.values(tileShapes)).size).toBe(16);
  });
});
