/** Applying the changes of a room's playback to a copy of it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyPlaybackChange,
  type PlaybackChange,
  playheadOf,
  type QueueEdit,
  type RoomPlayback,
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
