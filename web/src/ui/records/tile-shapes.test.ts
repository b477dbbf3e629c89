import { describe, expect, it } from 'vitest';
import { TILE_SHAPES } from './tile-shapes.ts';

describe('TILE_SHAPES', () => {
  it('has one shape for each hexadecimal character, no two alike', () => {
    expect(Object.keys(TILE_SHAPES).toSorted()).toEqual('0123456789ABCDEF'.split(''));
    expect(new Set(Object.values(TILE_SHAPES)).size).toBe(16);
  });
});
