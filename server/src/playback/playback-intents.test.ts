/**
 * What becomes of a room's playback when the host wants something; the same rules over both kinds where both have them.
 */
import { playbackOfDocument, thumbnailOf } from '@tunemate/domain';
import { applyPlaybackChange, holdAheadMs, positionAt } from '@tunemate/playback';
import {
  type NamedTrack,
  playbackChange,
  type PlaybackDocument,
  type PlaybackIntent,
  playbackDocument,
  roomKinds,
  type RoomKind,
  videoId,
} from '@tunemate/protocol';
import fc from 'fast-check';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { describe, expect, test } from 'vitest';
import { refuse } from '../system/ports.ts';
import { emptyPlayback } from './playback-document.ts';
import { toDocument } from './shown-playback.ts';
import { applyIntent, type Moment } from './playback-intents.ts';

const nowMs = 1_900_000_000_000;
const moment: Moment = { nowMs, leadMs: 200, loadMs: 3000 };

/** The room after one intent, as a receiver has it who applied what the wire carried; null where nothing changed. */
function afterOne(before: PlaybackDocument, intent: PlaybackIntent): PlaybackDocument | null {
  const applied = applyIntent(before.kind, playbackOfDocument(before), intent, moment);
  if (!applied.ok) throw new Error(applied.error.code);
  if (applied.value === null) return null;
  const change = playbackChange.parse(JSON.parse(JSON.stringify(applied.value)));
  const received = applyPlaybackChange(playbackOfDocument(before), change);
  if (received.status !== 'applied') throw new Error(received.status);
  return toDocument(before.kind, received.playback);
}
const after = (document: PlaybackDocument, ...intents: PlaybackIntent[]): PlaybackDocument =>
  intents.reduce((before, intent) => afterOne(before, intent) ?? before, document);
const fresh = (kind: RoomKind) => toDocument(kind, emptyPlayback(kind, nowMs));
const outcomeOf = (document: PlaybackDocument, intent: PlaybackIntent) =>
  applyIntent(document.kind, playbackOfDocument(document), intent, moment);
const seek = (n: number, currentTime: number): PlaybackIntent => ({
  type: 'seek',
  videoId: trackOf(n).videoId,
  currentTime,
});
const choose = (n: number): PlaybackIntent => ({ type: 'choose', track: trackOf(n) });
const titleOf = (document: PlaybackDocument) => ('title' in document ? document.title : document.currentVideoTitle);

describe.each(roomKinds)('a %s room', (kind) => {
  test('a new room plays nothing, at time 0 (SYNC-S1)', () => {
    expect(fresh(kind)).toMatchObject({ isPlaying: false, currentTime: 0, revision: 0, controller: null });
  });

  test('a chosen track plays from its beginning once all pages can have loaded it (SYNC-S2)', () => {
    const playing = after(fresh(kind), choose(1));
    expect(playing).toMatchObject({ isPlaying: true, currentTime: 0, updatedAt: nowMs + 3000, durationSeconds: 90 });
    expect(titleOf(playing)).toBe('Track 1');
  });

  test('a press that was meant for a track that has ended meanwhile turns to no other one', () => {
    const two = after(fresh(kind), choose(1), { type: 'enqueue', track: trackOf(2) });
    for (const type of ['next', 'previous'] as const) {
      const turned = after(two, { type, videoId: trackOf(1).videoId });
      expect(titleOf(turned)).toBe('Track 2');
      expect(afterOne(turned, { type, videoId: trackOf(1).videoId })).toBeNull();
      expect(titleOf(after(turned, { type }))).toBe('Track 1');
    }
  });

  test('a jump plays the track that the host pressed, wherever it is in the queue by now', () => {
    const two = after(fresh(kind), choose(1), { type: 'enqueue', track: trackOf(2) });
    const three = after(two, { type: 'enqueue', track: trackOf(3) });
    const { videoId } = trackOf(3);
    const taken = after(three, { type: 'remove', index: 1, videoId: trackOf(2).videoId });
    expect(titleOf(after(taken, { type: 'jump', currentIndex: 2, videoId }))).toBe('Track 3');
    const again = after(taken, { type: 'enqueue', track: trackOf(1) });
    const third = after(again, { type: 'jump', currentIndex: 3, videoId: trackOf(1).videoId });
    expect(third).toMatchObject({ currentIndex: 2 });
    expect(outcomeOf(two, { type: 'jump', currentIndex: 1, videoId })).toEqual(refuse('playback/queue-changed'));
  });

  test('a jump back to a track restores its place, and the pause it was in', () => {
    const two = after(fresh(kind), choose(1), { type: 'enqueue', track: trackOf(2) });
    const strayed = after(two, { type: 'jump', currentIndex: 1 });
    expect(titleOf(strayed)).toBe('Track 2');
    const back = after(strayed, { type: 'jump', currentIndex: 0, currentTime: 42 });
    expect([titleOf(back), back.currentTime, back.isPlaying]).toEqual(['Track 1', 42, true]);
    const paused = after(strayed, { type: 'jump', currentIndex: 0, currentTime: 42, isPaused: true });
    expect([paused.currentTime, paused.isPlaying]).toEqual([42, false]);
  });

  test('a track that is to play next waits right after the one that plays, which goes on', () => {
    const queued = after(
      fresh(kind),
      choose(1),
      { type: 'enqueue', track: trackOf(2) },
      { type: 'enqueue', track: trackOf(3), isNext: true },
    );
    expect(playbackOfDocument(queued).queue.videoQueue.map(({ title }) => title)).toEqual([
      'Track 1',
      'Track 3',
      'Track 2',
    ]);
    expect(titleOf(queued)).toBe('Track 1');
    expect(titleOf(after(fresh(kind), { type: 'enqueue', track: trackOf(3), isNext: true }))).toBe('Track 3');
  });

  test('a track whose link says where begins there, also from the queue and after another', () => {
    const from = (n: number, startSeconds: number) => ({ ...trackOf(n), startSeconds });
    const playing = after(fresh(kind), { type: 'choose', track: from(1, 42) });
    expect(playing).toMatchObject({ isPlaying: true, currentTime: 42, updatedAt: nowMs + 3000 });
    const queued = after(playing, { type: 'enqueue', track: trackOf(2) }, { type: 'enqueue', track: from(3, 7) });
    const second = after(queued, { type: 'next' });
    expect([second.currentTime, after(second, { type: 'next' }).currentTime]).toEqual([0, 7]);
    expect(after(fresh(kind), { type: 'enqueue', track: from(3, 7) })).toMatchObject({
      isPlaying: false,
      currentTime: 7,
    });
  });

  test('play, pause and seek take effect slightly ahead, at the position reached by then (SYNC-S3)', () => {
    const playing = after({ ...after(fresh(kind), choose(1)), updatedAt: nowMs - 10_000 });
    const paused = after(playing, { type: 'pause' });
    expect(paused).toMatchObject({ isPlaying: false, updatedAt: nowMs + 200, currentTime: 10.2 });
    expect(after(paused, { type: 'play' })).toMatchObject({
      isPlaying: true,
      updatedAt: nowMs + 200,
      currentTime: 10.2,
    });
    expect(after(playing, seek(1, 40))).toMatchObject({
      currentTime: 40,
      updatedAt: nowMs + 200,
    });
  });

  test('a change of the timeline carries no queue and no title (SYNC-S18)', () => {
    const full = after(fresh(kind), choose(1));
    for (const intent of [{ type: 'pause' } as const, seek(1, 5)]) {
      const applied = outcomeOf(full, intent);
      expect(Object.keys((applied.ok && applied.value) || {}).toSorted()).toEqual([
        'currentIndex',
        'currentTime',
        'isPlaying',
        'revision',
        'type',
        'updatedAt',
      ]);
    }
  });

  test('the picture of a track is made from its id', () => {
    const picture = (document: PlaybackDocument) => playbackOfDocument(document).queue.videoQueue[0]?.thumbnail;
    expect(picture(after(fresh(kind), choose(1)))).toBe(`/media/${trackOf(1).videoId}/cover`);
    const youtube = { ...trackOf(1), videoId: 'dQw4w9WgXcQ' as NamedTrack['videoId'] };
    expect(picture(after(fresh(kind), { type: 'choose', track: youtube }))).toBe(thumbnailOf(youtube.videoId));
    expect(thumbnailOf(youtube.videoId)).toBe('https://i.ytimg.com/vi/dQw4w9WgXcQ/default.jpg');
  });

  test('a seek beyond the end lands on the end; play after the end starts over (SYNC-S4)', () => {
    const paused = after(fresh(kind), choose(1), { type: 'pause' });
    const atEnd = after(paused, seek(1, 500));
    expect(atEnd.currentTime).toBe(90);
    expect(after(atEnd, { type: 'play' })).toMatchObject({ isPlaying: true, currentTime: 0 });
  });

  test('a seek of another track than the one that plays changes nothing', () => {
    expect(outcomeOf(after(fresh(kind), choose(1)), seek(2, 40))).toEqual({ ok: true, value: null });
  });

  test('an intent for another revision changes nothing (SYNC-S5)', () => {
    const playing = after(fresh(kind), choose(1));
    expect(after(playing, { type: 'ended', revision: playing.revision - 1 })).toBe(playing);
    const elsewhere = { revision: playing.revision + 1, currentTime: 5, updatedAt: nowMs };
    expect(after(playing, { type: 'reanchor', ...elsewhere })).toBe(playing);
    expect(after(playing, { type: 'republish', revision: playing.revision - 1 })).toBe(playing);
  });

  test('a room is anchored to where the host was seen, moved on to the moment when that takes effect (SYNC-25)', () => {
    const playing = after(fresh(kind), choose(1));
    const { revision } = playing;
    const seen = { type: 'reanchor', revision, currentTime: 5, updatedAt: nowMs - 800 } as const;
    expect(after(playing, seen)).toMatchObject({ currentTime: 6, updatedAt: nowMs + moment.leadMs });
    expect(after(playing, { ...seen, updatedAt: 0 })).toBe(playing);
    expect(after(playing, { ...seen, updatedAt: Number.MAX_VALUE })).toBe(playing);
  });

  test('the position published once more is the same to within a thousandth of a millisecond', () => {
    const playing = { ...after(fresh(kind), choose(1)), updatedAt: nowMs - 12_345 };
    const again = after(playing, { type: 'republish', revision: playing.revision });
    expect(again).toMatchObject({ revision: playing.revision + 1, isPlaying: true, updatedAt: nowMs });
    expect(again.currentTime).toBeCloseTo(playing.currentTime + 12.345, 6);
    const paused = after(playing, { type: 'pause' });
    expect(after(paused, { type: 'republish', revision: paused.revision })).toBe(paused);
  });

  test("while the host's player stands still, all others wait at its position", () => {
    const playing = after(fresh(kind), choose(1));
    const held = after(playing, { type: 'hold', revision: playing.revision, currentTime: 7 });
    expect(held).toMatchObject({ isPlaying: true, currentTime: 7, updatedAt: nowMs + holdAheadMs });
    expect(after(held, { type: 'hold', revision: playing.revision, currentTime: 9 })).toBe(held);
    const paused = after(playing, { type: 'pause' });
    expect(after(paused, { type: 'hold', revision: paused.revision, currentTime: 7 })).toBe(paused);
  });

  test('a video without a name is given one once; a name, and what the library calls its own, stays', () => {
    const videoId = 'dQw4w9WgXcQ' as NamedTrack['videoId'];
    const named = (title: string, chosen: NamedTrack) => {
      const playing = after(fresh(kind), { type: 'choose', track: chosen });
      return after(playing, { type: 'named', revision: playing.revision, title });
    };
    const once = named('Velvet Hour', { videoId, title: videoId, durationSeconds: null });
    expect(titleOf(once)).toBe('Velvet Hour');
    expect(after(once, { type: 'named', revision: once.revision, title: 'Another' })).toBe(once);
    expect(titleOf(named('Another', { videoId, title: 'Known', durationSeconds: null }))).toBe('Known');
    const own = trackOf(1);
    expect(titleOf(named('Another', { ...own, title: own.videoId }))).toBe(own.videoId);
  });

  test('a duration that turns out to be unknown is removed', () => {
    const elsewhere = { ...trackOf(1), videoId: videoId.parse('aaaaaaaaaaa') };
    const playing = after(fresh(kind), { type: 'choose', track: elsewhere });
    const known = after(playing, { type: 'measured', revision: playing.revision, durationSeconds: 61 });
    expect(known.durationSeconds).toBe(61);
    expect(
      after(known, { type: 'measured', revision: known.revision, durationSeconds: null }).durationSeconds,
    ).toBeNull();
  });

  test('a track of the library keeps its length where a player thinks that it is shorter', () => {
    const id = videoId.parse('lib_0123456789abcdef');
    const playing = after(fresh(kind), { type: 'choose', track: { ...trackOf(1), videoId: id } });
    const seen = (durationSeconds: number) =>
      after(playing, { type: 'measured', revision: playing.revision, durationSeconds }).durationSeconds;
    // By a second it may be right: encoders add a little silence.
    expect([seen(30), seen(89.5), seen(150)]).toEqual([90, 89.5, 150]);
  });

  test('with nothing chosen, play and seek change nothing (SYNC-S6)', () => {
    const empty = fresh(kind);
    expect(after(empty, { type: 'play' }, seek(1, 5))).toBe(empty);
  });

  test('every document of any sequence of intents is valid, and revisions only rise (SYNC-S7)', () => {
    const anyIntent: fc.Arbitrary<PlaybackIntent> = fc.oneof(
      fc.constantFrom<PlaybackIntent>({ type: 'play' }, { type: 'pause' }, { type: 'next' }, { type: 'previous' }),
      fc.nat(9).map((n): PlaybackIntent => ({ type: 'choose', track: trackOf(n) })),
      fc.nat(9).map((n): PlaybackIntent => ({ type: 'enqueue', track: trackOf(n) })),
      fc.tuple(fc.nat(9), fc.double({ min: 0, max: 86_400, noNaN: true })).map(([n, seconds]) => seek(n, seconds)),
      fc
        .array(fc.nat(9), { minLength: 1, maxLength: 5 })
        .map((numbers): PlaybackIntent => ({ type: 'enqueueAll', items: numbers.map((n) => trackOf(n)) })),
      fc.record({ type: fc.constant('jump' as const), currentIndex: fc.nat(12) }),
      fc
        .tuple(fc.nat(12), fc.nat(9))
        .map(([index, n]): PlaybackIntent => ({ type: 'remove', index, videoId: trackOf(n).videoId })),
      fc
        .tuple(fc.nat(12), fc.nat(12), fc.nat(9))
        .map(([from, to, n]): PlaybackIntent => ({ type: 'move', from, to, videoId: trackOf(n).videoId })),
      fc.nat(30).map((revision): PlaybackIntent => ({ type: 'ended', revision })),
      fc.nat(30).map((revision): PlaybackIntent => ({ type: 'measured', revision, durationSeconds: 42 })),
    );
    fc.assert(
      fc.property(fc.array(anyIntent, { maxLength: 40 }), (intents) => {
        let document = fresh(kind);
        for (const intent of intents) {
          if (!outcomeOf(document, intent).ok) continue;
          const next = afterOne(document, intent);
          if (next === null) continue;
          expect(playbackDocument.parse(next)).toEqual(next);
          expect(next.revision).toBe(document.revision + 1);
          expect(toDocument(kind, playbackOfDocument(next))).toEqual(next);
          document = next;
        }
        const { timeline, queue } = playbackOfDocument(document);
        expect(positionAt(timeline, nowMs + 60_000)).toBeGreaterThanOrEqual(0);
        expect(timeline.trackKey).toBe(queue.videoQueue[queue.currentIndex]?.videoId ?? null);
        expect(timeline.trackKey !== null || !timeline.isPlaying).toBe(true);
      }),
    );
  });
});

describe('the queue of a video room', () => {
  const video = () => fresh('video');
  const playing = () =>
    after(video(), choose(3), { type: 'enqueue', track: trackOf(4) }, { type: 'enqueue', track: trackOf(5) });

  test('a chosen video starts at the head of the queue (SYNC-S8)', () => {
    expect(after(playing(), choose(9))).toMatchObject({ currentIndex: 0, currentVideoTitle: 'Track 9' });
    expect(playbackOfDocument(after(playing(), choose(9))).queue.videoQueue).toHaveLength(4);
  });

  test('next, previous and the end of a video wrap around the queue (SYNC-S9)', () => {
    const document = playing();
    expect(titleOf(after(document, { type: 'next' }))).toBe('Track 4');
    expect(titleOf(after(document, { type: 'previous' }))).toBe('Track 5');
    const last = after(document, { type: 'previous' });
    expect(after(last, { type: 'ended', revision: last.revision })).toMatchObject({
      currentVideoTitle: 'Track 3',
      isPlaying: true,
    });
  });

  test('rearranging around the current video does not touch its time (SYNC-S10)', () => {
    const document = { ...playing(), updatedAt: nowMs - 5000 };
    const moved = after(document, { type: 'move', from: 2, to: 0, videoId: trackOf(5).videoId });
    expect(moved).toMatchObject({
      currentVideoTitle: 'Track 3',
      currentIndex: 1,
      updatedAt: document.updatedAt,
      currentTime: 0,
    });
    const removed = after(document, { type: 'remove', index: 1, videoId: trackOf(4).videoId });
    expect(removed).toMatchObject({ currentVideoTitle: 'Track 3', updatedAt: document.updatedAt });
  });

  test('a row that moved meanwhile is neither removed nor moved, and the page is told; removing the last leaves the room without music (SYNC-S11)', () => {
    const document = playing();
    const { videoId } = trackOf(5);
    for (const late of [
      { type: 'remove', index: 1, videoId },
      { type: 'remove', index: 7, videoId },
      { type: 'move', from: 1, to: 0, videoId },
    ] as const) {
      expect(outcomeOf(document, late)).toEqual(refuse('playback/queue-changed'));
    }
    const alone = after(video(), choose(3), { type: 'remove', index: 0, videoId: trackOf(3).videoId });
    expect(alone).toMatchObject({ currentVideoId: null, isPlaying: false, currentVideoTitle: 'No music selected' });
  });

  test('removing the current video while paused cues the next one without starting it (SYNC-S17)', () => {
    const paused = after(playing(), { type: 'pause' });
    expect(after(paused, { type: 'remove', index: 0, videoId: trackOf(3).videoId })).toMatchObject({
      currentVideoTitle: 'Track 4',
      isPlaying: false,
      currentTime: 0,
      updatedAt: nowMs,
    });
    expect(after(playing(), { type: 'remove', index: 0, videoId: trackOf(3).videoId })).toMatchObject({
      currentVideoTitle: 'Track 4',
      isPlaying: true,
      updatedAt: nowMs + 3000,
    });
  });

  test('the queue ends at 200 (SYNC-S12)', () => {
    let document = video();
    for (let n = 0; n < 200; n += 1) document = after(document, { type: 'enqueue', track: trackOf(n) });
    expect(outcomeOf(document, { type: 'enqueue', track: trackOf(999) })).toEqual(refuse('playback/queue-full'));
    expect(outcomeOf(document, choose(999))).toEqual(refuse('playback/queue-full'));
  });
});

describe('an audio room', () => {
  test('the end of the track leaves it paused at 0 (SYNC-S13)', () => {
    const playing = after(fresh('audio'), choose(1));
    expect(after(playing, { type: 'ended', revision: playing.revision })).toMatchObject({
      isPlaying: false,
      currentTime: 0,
      title: 'Track 1',
    });
  });

  test('an item of the library streams from this server, one of YouTube from nowhere of ours', () => {
    expect(after(fresh('audio'), choose(1))).toMatchObject({ audioUrl: `/media/${trackOf(1).videoId}` });
    const youtube = { ...trackOf(1), videoId: 'dQw4w9WgXcQ' as NamedTrack['videoId'] };
    expect(after(fresh('audio'), { type: 'choose', track: youtube })).toMatchObject({ audioUrl: '' });
  });
});

describe('reports that come too late or ask for what is not there', () => {
  const at = { currentTime: 5, updatedAt: nowMs } as const;
  test.each(roomKinds)('in a %s room without a track the host’s position changes nothing (SYNC-S3)', (kind) => {
    const { revision } = fresh(kind);
    expect(outcomeOf(fresh(kind), { type: 'reanchor', revision, ...at })).toMatchObject({ ok: true, value: null });
  });

  test.each(roomKinds)('in a paused %s room the host’s position holds at once (SYNC-S3)', (kind) => {
    const paused = after(fresh(kind), choose(1), { type: 'pause' });
    const { revision } = paused;
    expect(after(paused, { type: 'reanchor', revision, ...at })).toMatchObject({ currentTime: 5, updatedAt: nowMs });
  });

  test('a track is not moved behind the end of the queue (SYNC-S5)', () => {
    const queued = after(
      fresh('video'),
      { type: 'enqueue', track: trackOf(1) },
      { type: 'enqueue', track: trackOf(2) },
    );
    const { videoId } = trackOf(1);
    expect(outcomeOf(queued, { type: 'move', from: 0, to: 2, videoId })).toEqual(refuse('input/invalid'));
    expect(outcomeOf(queued, { type: 'move', from: 0, to: 1, videoId }).ok).toBe(true);
  });
});
