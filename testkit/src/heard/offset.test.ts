import { describe, expect, test } from 'vitest';
import { heardOffset, longestSilenceMs, turnsMs } from './offset.ts';

const rate = 8000;

/** Something like music: chords with noise, always the same. */
function music(seconds: number): Float64Array {
  let state = 7;
  const noise = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 - 0.5;
  };
  return Float64Array.from({ length: seconds * rate }, (_, at) => {
    const t = at / rate;
    return Math.sin(2 * Math.PI * 220 * t) + 0.6 * Math.sin(2 * Math.PI * 331 * t) + noise();
  });
}

const at = (ms: number): number => Math.round((ms / 1000) * rate);
const cut = (samples: Float64Array, fromMs: number, lengthMs: number): Float64Array =>
  samples.slice(at(fromMs), at(fromMs + lengthMs));

describe('the offset between two recorded listeners', () => {
  const song = music(4);

  test.each([0, 1, 27.5, -27.5, 300, -390])('finds that the second is %f ms ahead', (aheadMs) => {
    const { aheadMs: found, sharpness } = heardOffset(
      cut(song, 1000, 1000),
      cut(song, 1000 + aheadMs, 1000),
      rate,
      400,
    );
    expect(found).toBeCloseTo(aheadMs, 1);
    expect(sharpness).toBeGreaterThan(10);
  });

  test('finds it in one that is louder and has noise of its own', () => {
    const other = cut(song, 1012, 1000).map((value, index) => 3 * value + 0.4 * Math.sin(index * index));
    expect(heardOffset(cut(song, 1000, 1000), other, rate, 400).aheadMs).toBeCloseTo(12, 1);
  });

  test('shows by a blunt peak that two have nothing in common, or that one is silent', () => {
    const unrelated = Float64Array.from({ length: rate }, (_, index) => Math.sin(index * index * 0.37));
    expect(heardOffset(cut(song, 0, 1000), unrelated, rate, 400).sharpness).toBeLessThan(8);
    expect(heardOffset(cut(song, 0, 1000), new Float64Array(rate), rate, 400).sharpness).toBeLessThan(8);
  });
});

describe('silence', () => {
  test('is as long as its longest gap', () => {
    const song = music(1).fill(0, 2000, 2800).fill(0, 4000, 4400);
    expect(longestSilenceMs(song, rate, 0.001)).toBe(100);
  });

  test('begins where the samples stay silent, and ends where they stay loud', () => {
    const song = music(1).fill(0, 800, 1200).fill(0, 4000, 6000);
    const level = 0.001;
    expect(turnsMs(song, rate, { level, isLoud: false, forMs: 100 })).toBe(500);
    expect(turnsMs(song.subarray(at(500)), rate, { level, isLoud: true, forMs: 100 })).toBe(250);
    expect(turnsMs(song, rate, { level, isLoud: false, forMs: 300 })).toBeNull();
  });
});
