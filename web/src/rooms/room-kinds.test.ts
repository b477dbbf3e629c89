import { describe, expect, test } from 'vitest';
import { factsOf } from './room-kinds.ts';

describe('the two kinds', () => {
  test('show time as HH:MM:SS in video rooms and mm:ss in audio rooms', () => {
    expect([0, 107, 3725.9, Number.NaN].map(factsOf('video').formatTime)).toEqual([
      '00:00:00',
      '00:01:47',
      '01:02:05',
      '00:00:00',
    ]);
    expect([0, 107, 4500, -1].map(factsOf('audio').formatTime)).toEqual(['00:00', '01:47', '75:00', '00:00']);
  });

  test('seek beyond 2 s in video rooms and 1.5 s in audio rooms', () => {
    expect(factsOf('video').seekToleranceSeconds).toBe(2);
    expect(factsOf('audio').seekToleranceSeconds).toBe(1.5);
  });

  test('have their own addresses', () => {
    expect(factsOf('video').roomPath('7F3A9C')).toBe('/tunemate/7F3A9C');
    expect(factsOf('audio').roomPath('B04E21')).toBe('/audio-room/B04E21');
  });
});
