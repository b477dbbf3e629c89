import { expect, test } from 'vitest';
import { tempoOf } from './tempo.ts';

const rate = 2000;

/** The same numbers in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A drum on each beat, a quieter one between two of them, over noise. `free`: how much of a beat each is off. */
function drums(beats: number, { seconds = 60, noise = 6, free = 0 } = {}): Int8Array {
  const random = seeded(beats);
  const samples = Float64Array.from({ length: seconds * rate }, () => noise * (random() - 0.5));
  const step = (60 / beats / 2) * rate;
  for (let hit = 0; hit * step < samples.length; hit += 1) {
    const from = Math.round((hit + free * (random() - 0.5) * 2) * step);
    for (let after = 0; after < rate / 5; after += 1) {
      const place = from + after;
      if (place < 0 || place >= samples.length) continue;
      const loud = (hit % 2 === 0 ? 90 : 30) * Math.exp(-after / (rate / 25));
      samples[place] = (samples[place] ?? 0) + loud * Math.sin((2 * Math.PI * 70 * after) / rate);
    }
  }
  return Int8Array.from(samples, (value) => Math.max(-127, Math.min(127, Math.round(value))));
}

test.each([72, 84, 96, 120, 128, 140])('%i beats a minute are heard within two', (beats) => {
  expect(Math.abs(tempoOf(drums(beats), rate) - beats)).toBeLessThan(2);
});

test('noise, silence, free time and a few seconds have no tempo', () => {
  const random = seeded(3);
  const noise = Int8Array.from({ length: 60 * rate }, () => Math.round(200 * (random() - 0.5)));
  expect(tempoOf(noise, rate)).toBe(0);
  expect(tempoOf(new Int8Array(60 * rate), rate)).toBe(0);
  expect(tempoOf(drums(96, { free: 1 }), rate)).toBe(0);
  expect(tempoOf(drums(96, { seconds: 8 }), rate)).toBe(0);
});
