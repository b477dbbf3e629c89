import { describe, expect, test } from 'vitest';
import { smoothed } from './follower-state.ts';

const readingsOf = (...values: number[]) => values.map((behindSeconds) => ({ atMs: 1000, behindSeconds }));

describe('the drift of several looks (SYNC-18)', () => {
  test('is the middle one of an odd number, in whatever order they came', () => {
    expect(smoothed(readingsOf(0.5, 0.01, 0.02), 1000)).toBeCloseTo(0.02, 9);
  });

  test('is between the two in the middle of an even number', () => {
    expect(smoothed(readingsOf(0.01, 0.9, 0.03, -0.5), 1000)).toBeCloseTo(0.02, 9);
  });

  test('carries each look forward by what the rate has brought since', () => {
    const readings = [
      { atMs: 0, behindSeconds: 0.03 },
      { atMs: 500, behindSeconds: 0.02 },
    ];
    expect(smoothed(readings, 1000, 0.02)).toBeCloseTo(0.01, 9);
  });

  test('is none when there was no look', () => {
    expect(smoothed([], 1000)).toBe(0);
  });
});
