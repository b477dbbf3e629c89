import { describe, expect, test } from 'vitest';
import { isSoughtExactly } from '../players/media-element.ts';
import { syncWords } from './SoundLine.tsx';

describe('the badge', () => {
  const status = {
    status: 'playing',
    revision: 1,
    driftMs: 3,
    smoothedDriftMs: -4.2,
    uncertaintyMs: 1,
    seeks: 0,
    rateChanges: 0,
    errorCode: null,
    isLive: false,
    isInexact: false,
  } as const;

  test('shows drift plus clock uncertainty, and whether that is in sync', () => {
    expect(syncWords(status)).toEqual({ text: '±5 ms', isInStep: true });
    expect(syncWords({ ...status, uncertaintyMs: 60 })).toEqual({ text: '±64 ms', isInStep: false });
    expect(syncWords({ ...status, uncertaintyMs: Infinity })).toEqual({ text: 'Setting the clock', isInStep: false });
    expect(syncWords({ ...status, smoothedDriftMs: 310 })).toEqual({ text: '±311 ms', isInStep: false });
    expect(syncWords({ ...status, status: 'buffering' })).toEqual({ text: 'Buffering', isInStep: false });
    expect(syncWords({ ...status, status: 'paused' })).toBeNull();
  });

  test("shows 'about' while the position is not exact", () => {
    expect(syncWords({ ...status, isInexact: true })).toEqual({ text: 'about ±5 ms', isInStep: false });
    expect(syncWords({ ...status, status: 'loading', isInexact: true })?.text).toBe('Loading');
  });

  test.each([
    ['audio/mpeg', false],
    ['audio/ogg; codecs=opus', false],
    ['Audio/OGG', false],
    ['audio/mp4', true],
    ['audio/flac', true],
    ['video/webm', true],
    [null, true],
  ])('a file of type %s counts as sought exactly: %s', (type, isExact) => {
    expect(isSoughtExactly(type)).toBe(isExact);
  });
});
