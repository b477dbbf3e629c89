import { playbackOfDocument } from '@tunemate/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { otherTab, playbackDocument, track } from '../../testing/playback-fixtures.ts';
import { cell } from '../store/cell.ts';
import { viewOf } from './playback-view.ts';
import { progressOf } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const viewAt = (isPlaying: boolean) => {
  const facts = { isPlaying, currentTime: 0, updatedAt: 0, tracks: [track('a', 100)] };
  return viewOf(playbackOfDocument(playbackDocument('audio', facts)), 'guest', otherTab);
};

/** A room that plays since now, and `read`: how often its position was read. */
function aRoom() {
  const sinceMs = Date.now();
  const view = cell(viewAt(true));
  const positionSeconds = vi.fn(() => (Date.now() - sinceMs) / 1000);
  return { view, progress: progressOf({ view, positionSeconds }), read: () => positionSeconds.mock.calls.length };
}

test('all who show it read it together, once a second and just after the second has passed', () => {
  const { progress, read } = aRoom();
  const shown: number[] = [];
  progress.subscribe(() => shown.push(progress.get()));
  progress.subscribe(() => shown.push(progress.get()));
  const before = read();
  vi.advanceTimersByTime(3100);
  expect(shown.map(Math.floor)).toEqual([1, 1, 2, 2, 3, 3]);
  expect(read() - before).toBe(3);
});

test('no timer runs while nothing plays or no part of a page shows it, and a change of the room is shown at once', () => {
  const { view, progress } = aRoom();
  expect(vi.getTimerCount()).toBe(0);
  const stop = progress.subscribe(() => undefined);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(500);
  view.set(viewAt(false));
  expect([progress.get(), vi.getTimerCount()]).toEqual([0.5, 0]);
  view.set(viewAt(true));
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
