import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addAtEnd,
  currentItem,
  insertAt,
  jumpTo,
  move,
  next,
  previous,
  type Queue,
  removeAt,
  startAtHead,
} from './room-playback.ts';

const item = (videoId: string) => ({ videoId, title: `Title ${videoId}` });
const queue = (ids: string, currentIndex: number): Queue => ({ videoQueue: ids.split('').map(item), currentIndex });
const nothingQueued: Queue = { videoQueue: [], currentIndex: 0 };
const ids = (of: Queue): string => of.videoQueue.map((one) => one.videoId).join('');

describe('inserting a video', () => {
  test('keeps the current one, at any index', () => {
    const after = [0, 1, 2, 3].map((index) => insertAt(queue('abc', 1), index, item('x')));
    expect(after.map(ids)).toEqual(['xabc', 'axbc', 'abxc', 'abcx']);
    expect(after.map((each) => currentItem(each)?.videoId)).toEqual(['b', 'b', 'b', 'b']);
  });

  test('in an empty queue makes it the current one', () => {
    expect(currentItem(insertAt(nothingQueued, 0, item('x')))?.videoId).toBe('x');
  });
});

describe('stepping', () => {
  test('next and previous wrap round (SYNC-V2)', () => {
    expect(next(queue('abc', 2)).currentIndex).toBe(0);
    expect(previous(queue('abc', 0)).currentIndex).toBe(2);
    expect(next(queue('abc', 0)).currentIndex).toBe(1);
    expect(next(queue('a', 0)).currentIndex).toBe(0);
  });

  test('does nothing in an empty queue (SYNC-V2)', () => {
    expect(next(nothingQueued)).toEqual(nothingQueued);
    expect(previous(nothingQueued)).toEqual(nothingQueued);
    expect(currentItem(nothingQueued)).toBeNull();
  });

  test('as many steps as there are videos lead back to the same one (SYNC-V2)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(), (count, start) => {
        const first = queue('x'.repeat(count), start % count);
        let forwards = first;
        let back = first;
        for (let step = 0; step < count; step++) [forwards, back] = [next(forwards), previous(back)];
        expect([forwards.currentIndex, back.currentIndex]).toEqual([first.currentIndex, first.currentIndex]);
        expect(previous(next(first))).toEqual(first);
      }),
    );
  });
});

describe('rearranging', () => {
  test('a chosen video starts at the head, and is queued only once (SYNC-V3)', () => {
    const chosen = startAtHead(queue('abc', 1), item('d'));
    expect([ids(chosen), chosen.currentIndex]).toEqual(['dabc', 0]);
    expect(ids(startAtHead(queue('abc', 1), item('c')))).toBe('cab');
  });

  test('adding at the end leaves the current one current (SYNC-V4)', () => {
    const longer = addAtEnd(queue('ab', 1), item('c'));
    expect([ids(longer), longer.currentIndex]).toEqual(['abc', 1]);
  });

  test.each([
    { removed: 0, left: 'bc', current: 'c' },
    { removed: 1, left: 'ac', current: 'c' },
    { removed: 2, left: 'ab', current: 'a' },
    { removed: 3, left: 'abc', current: 'c' },
    { removed: -1, left: 'abc', current: 'c' },
  ])('removing number $removed of abc, c playing, leaves $left with $current current (SYNC-V4)', (example) => {
    const shorter = removeAt(queue('abc', 2), example.removed);
    expect([ids(shorter), currentItem(shorter)?.videoId]).toEqual([example.left, example.current]);
  });

  test('removing the last one leaves an empty queue (SYNC-V4)', () => {
    expect(removeAt(queue('a', 0), 0)).toEqual(nothingQueued);
  });

  test('every move keeps all videos and the current one (SYNC-V4)', () => {
    const cases = fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      from: fc.nat(14),
      to: fc.nat(14),
      at: fc.nat(11),
    });
    fc.assert(
      fc.property(cases, ({ count, from, to, at }) => {
        const before = queue('abcdefghijkl'.slice(0, count), at % count);
        const after = move(before, from, to);
        expect(ids(after).split('').sort()).toEqual(ids(before).split('').sort());
        expect(currentItem(after)).toEqual(currentItem(before));
        if (from < count && to < count) expect(after.videoQueue[to]).toEqual(before.videoQueue[from]);
      }),
    );
  });

  test('jumps only to items of the queue', () => {
    expect([jumpTo(queue('abc', 0), 2).currentIndex, jumpTo(queue('abc', 1), 0).currentIndex]).toEqual([2, 0]);
    for (const index of [-1, 3, 0.5, Number.NaN]) expect(jumpTo(queue('abc', 1), index).currentIndex).toBe(1);
  });
});
