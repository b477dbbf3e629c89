/** Applying the changes of a room's playback to a copy of it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyPlaybackChange,
  type PlaybackChange,
  playheadOf,
  type QueueEdit,
  type RoomPlayback,
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

const item = (n: number) => ({ videoId: `v${String(n)}`, title: `Video ${String(n)}`, durationSeconds: null });
const playing = (count: number, currentIndex = 0): RoomPlayback => ({
  queue: { videoQueue: Array.from({ length: count }, (_, n) => item(n)), currentIndex },
  timeline: { revision: 7, trackKey: `v${String(currentIndex)}`, isPlaying: true, positionSeconds: 3, atServerMs: 50 },
  controller: 'a tab',
  afterTrack: 'queue',
});
const playhead = { revision: 8, isPlaying: false, currentTime: 12, updatedAt: 90, currentIndex: 1 };

function applied(playback: RoomPlayback, change: PlaybackChange): RoomPlayback {
  const received = applyPlaybackChange(playback, change);
  if (received.status !== 'applied') throw new Error(received.status);
  return received.playback;
}
const afterEdit = (edit: QueueEdit, currentIndex: number) =>
  applied(playing(3, 1), { type: 'playback/queueChanged', ...playhead, currentIndex, edit });
const idsAfter = (edit: QueueEdit) => afterEdit(edit, 0).queue.videoQueue.map(({ videoId }) => videoId);

describe('a copy of a room’s playback', () => {
  test('takes the setting for after the track, and nothing else changes (AFTER-1)', () => {
    const before = playing(3);
    const after = applied(before, { type: 'playback/afterTrackChanged', afterTrack: 'stop', revision: 8 });
    expect(after).toEqual({ ...before, afterTrack: 'stop', timeline: { ...before.timeline, revision: 8 } });
  });

  test('takes a track at its index', () => {
    expect(idsAfter({ type: 'inserted', index: 1, track: item(9) })).toEqual(['v0', 'v9', 'v1', 'v2']);
  });

  test('takes the new timeline and keeps its queue when only the timeline changed (SYNC-S18)', () => {
    const before = playing(3);
    const after = applied(before, { type: 'playback/moved', ...playhead });
    expect(after.timeline).toEqual({
      revision: 8,
      trackKey: 'v1',
      isPlaying: false,
      positionSeconds: 12,
      atServerMs: 90,
    });
    expect(after.queue.videoQueue).toBe(before.queue.videoQueue);
    expect(after.controller).toBe('a tab');
    expect(playheadOf(after.timeline, after.queue.currentIndex)).toEqual(playhead);
  });

  test('applies each change of the queue (SYNC-S19)', () => {
    expect(idsAfter({ type: 'added', track: item(9) })).toEqual(['v0', 'v1', 'v2', 'v9']);
    expect(idsAfter({ type: 'addedAll', tracks: [item(9), item(8)] })).toEqual(['v0', 'v1', 'v2', 'v9', 'v8']);
    expect(idsAfter({ type: 'chosen', track: item(2) })).toEqual(['v2', 'v0', 'v1']);
    expect(idsAfter({ type: 'replaced', track: item(9) })).toEqual(['v9']);
    expect(idsAfter({ type: 'removed', index: 1 })).toEqual(['v0', 'v2']);
    expect(idsAfter({ type: 'moved', from: 2, to: 0 })).toEqual(['v2', 'v0', 'v1']);
    const named = afterEdit({ type: 'named', index: 1, title: 'Velvet Hour' }, 1);
    expect(named.queue.videoQueue[1]?.title).toBe('Velvet Hour');
    const measured = afterEdit({ type: 'measured', index: 1, durationSeconds: 61 }, 1);
    expect(measured.queue.videoQueue.map(({ durationSeconds }) => durationSeconds)).toEqual([null, 61, null]);
  });

  test('has the right current track after a change of the queue (SYNC-S19)', () => {
    expect(afterEdit({ type: 'removed', index: 1 }, 1).timeline.trackKey).toBe('v2');
    const last = applied(playing(1), {
      type: 'playback/queueChanged',
      ...playhead,
      currentIndex: 0,
      edit: { type: 'removed', index: 0 },
    });
    expect(last.timeline.trackKey).toBeNull();
  });

  test('takes which tab holds control, and nothing else changes (SYNC-S20)', () => {
    const before = playing(2);
    const after = applied(before, { type: 'playback/controlChanged', revision: 8, controller: 'another tab' });
    expect(after).toEqual({ ...before, controller: 'another tab', timeline: { ...before.timeline, revision: 8 } });
  });

  test('ignores an older change, and reports a missing one (SYNC-S21)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), (revision) => {
        const { status } = applyPlaybackChange(playing(2), { type: 'playback/moved', ...playhead, revision });
        expect(status).toBe(revision <= 7 ? 'passed' : revision === 8 ? 'applied' : 'gap');
      }),
    );
  });
});

describe('queue', () => {
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
});
