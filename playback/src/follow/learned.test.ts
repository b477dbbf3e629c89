import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expected, type Figures, fromMemory, initialLearned, learn, toMemory } from './learned.ts';
import { mediaElementCapabilities, youtubeCapabilities } from './player.ts';

const figures: readonly (keyof Figures)[] = [
  'seekSeconds',
  'startSeconds',
  'resumeSeconds',
  'loadSeconds',
  'cueSeconds',
  'rateSeconds',
];

describe('the expected latencies of a player', () => {
  test('are the declared ones before anything was learned (SYNC-17)', () => {
    expect(expected(initialLearned, mediaElementCapabilities)).toEqual({
      seekSeconds: 0.095,
      startSeconds: 0.095,
      resumeSeconds: 0.01,
      loadSeconds: 0.5,
      cueSeconds: 0.12,
      rateSeconds: 0.1,
    });
    expect(expected(initialLearned, youtubeCapabilities)).toMatchObject({
      loadSeconds: 2.2,
      cueSeconds: 0.2,
      rateSeconds: 0,
    });
  });

  test('are learned per kind of player (SYNC-17)', () => {
    const learned = learn(initialLearned, mediaElementCapabilities, 'seekSeconds', 0.295);
    const both = learn(learned, mediaElementCapabilities, 'loadSeconds', 1.5);
    expect(expected(both, mediaElementCapabilities)).toMatchObject({ seekSeconds: 0.195, loadSeconds: 1 });
    expect(expected(both, youtubeCapabilities)).toEqual(expected(initialLearned, youtubeCapabilities));
  });

  test.each([
    ['seekSeconds', 0, 2],
    ['startSeconds', 0, 2],
    ['resumeSeconds', 0, 2],
    ['loadSeconds', 0.1, 3],
    ['cueSeconds', 0.05, 2],
    ['rateSeconds', 0, 0.4],
  ] as const)('stay within bounds: %s from %f to %f (SYNC-17)', (figure, least, most) => {
    for (const [observed, bound] of [
      [-100, least],
      [100, most],
    ] as const) {
      const once = learn(initialLearned, mediaElementCapabilities, figure, observed);
      const learned = learn(once, mediaElementCapabilities, figure, observed);
      expect(expected(learned, mediaElementCapabilities)[figure]).toBe(bound);
    }
  });

  test('approach the observations each time (SYNC-17)', () => {
    const observations = fc.double({ min: 0.05, max: 0.1, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...figures), observations, (figure, observed) => {
        const possible = figure === 'loadSeconds' ? 10 * observed : observed;
        const left = (times: number) => {
          let learned = initialLearned;
          for (let turn = 0; turn < times; turn++) {
            learned = learn(learned, mediaElementCapabilities, figure, possible);
          }
          return expected(learned, mediaElementCapabilities)[figure] - possible;
        };
        expect(left(1)).toBeCloseTo(left(0) / 2, 9);
        expect(left(40)).toBeCloseTo(0, 3);
      }),
    );
  });
});

const throughStorage = (memory: unknown): unknown => JSON.parse(JSON.stringify(memory));

describe('observations of a player', () => {
  const startSeconds = (...observed: readonly number[]): number => {
    const learned = observed.reduce(
      (known, seconds) => learn(known, mediaElementCapabilities, 'startSeconds', seconds),
      initialLearned,
    );
    return expected(learned, mediaElementCapabilities).startSeconds;
  };

  test('one start on a busy device does not affect later ones', () => {
    expect(startSeconds(0.09, 0.09, 0.6)).toBe(0.09);
    expect(startSeconds(0.09, 0.6, 0.09)).toBe(0.09);
  });

  test('a device that takes longer than was declared is known after two starts', () => {
    expect(startSeconds(0.3, 0.3)).toBe(0.3);
  });
});

describe('the stored latencies of a device', () => {
  test('are kept per kind of player from one visit to the next', () => {
    let learned = initialLearned;
    for (const figure of figures) learned = learn(learned, mediaElementCapabilities, figure, 0.4);
    learned = learn(learned, youtubeCapabilities, 'startSeconds', 0.9);
    const remembered = fromMemory(throughStorage(toMemory(learned)));
    for (const capabilities of [mediaElementCapabilities, youtubeCapabilities]) {
      expect(expected(remembered, capabilities)).toEqual(expected(learned, capabilities));
    }
  });

  test('are ignored in another format or version', () => {
    const figures = { 'media-element': { startSeconds: [1.5] } };
    for (const memory of [null, 7, 'x', [], { version: 0, players: figures }, { players: figures }]) {
      expect(expected(fromMemory(memory), mediaElementCapabilities)).toEqual(
        expected(initialLearned, mediaElementCapabilities),
      );
    }
  });

  test('are bounded, whatever was stored', () => {
    const observations = fc.oneof(fc.array(fc.oneof(fc.double(), fc.anything())), fc.anything());
    const known = fc.dictionary(fc.constantFrom(...figures, 'other', '__proto__'), observations);
    const players = fc.dictionary(fc.constantFrom('media-element', 'youtube', 'other'), fc.oneof(known, fc.anything()));
    fc.assert(
      fc.property(fc.oneof(players, fc.anything()), (stored) => {
        const remembered = fromMemory({ version: 1, players: stored });
        expect(remembered.size).toBeLessThanOrEqual(2);
        for (const capabilities of [mediaElementCapabilities, youtubeCapabilities]) {
          for (const seconds of Object.values(expected(remembered, capabilities))) {
            expect(seconds).toBeGreaterThanOrEqual(0);
            expect(seconds).toBeLessThanOrEqual(3);
          }
        }
      }),
    );
  });
});
