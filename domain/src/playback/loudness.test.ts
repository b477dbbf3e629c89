import type { VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { evenLufs, loudnessFactor } from './loudness.ts';

const id = (letter: string) => `lib_${letter.repeat(16)}` as VideoId;
const queued = (letters: string) => Array.from(letters, (letter) => ({ videoId: id(letter) }));
const decibels = (factor: number | null) => 20 * Math.log10(factor ?? Number.NaN);

test('a loud track is turned down and a quiet one up, to the same loudness', () => {
  for (const lufs of [-8, -14, evenLufs, -27]) {
    expect(lufs + decibels(loudnessFactor({ track: lufs, album: null }, []))).toBeCloseTo(evenLufs);
  }
});

test('the album decides only where all of it is in the queue', () => {
  const loudness = { track: -8, album: { lufs: -12, tracks: [id('a'), id('b')] } };
  expect(decibels(loudnessFactor(loudness, queued('abc')))).toBeCloseTo(evenLufs + 12);
  expect(decibels(loudnessFactor(loudness, queued('ac')))).toBeCloseTo(evenLufs + 8);
  expect(decibels(loudnessFactor({ ...loudness, album: { ...loudness.album, lufs: null } }, queued('ab')))).toBeCloseTo(
    evenLufs + 8,
  );
});

test('what is unknown or no number changes nothing, and an absurd figure is bounded', () => {
  for (const track of [null, Number.NaN, Number.NEGATIVE_INFINITY]) {
    expect(loudnessFactor({ track, album: null }, [])).toBeNull();
  }
  expect(loudnessFactor({ track: -78, album: null }, [])).toBe(4);
  expect(loudnessFactor({ track: 60, album: null }, [])).toBe(0.04);
});
