import { roomKinds } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { isThere, nowPlaying } from './playback-view.ts';
import { playbackOfDocument } from '@tunemate/domain';
import { playbackDocument, track } from '../../testing/playback-fixtures.ts';

describe('a room’s playback', () => {
  test.each(roomKinds)('is read the same from documents of kind %s', (kind) => {
    const document = playbackDocument(kind, {
      revision: 4,
      isPlaying: true,
      currentTime: 3,
      updatedAt: 500,
      durationSeconds: 90,
      tracks: [track('a', 90)],
    });
    const playing = nowPlaying(playbackOfDocument(document));
    expect(playing.track).toEqual(track('a', 90));
    expect(playing.timeline).toEqual({
      revision: 4,
      trackKey: track('a').videoId,
      isPlaying: true,
      positionSeconds: 3,
      atServerMs: 500,
    });
  });
});

describe('the host', () => {
  const facts = { isPlaying: true, currentTime: 0, updatedAt: 0, tracks: [track('a', 100)] };
  const playing = nowPlaying(playbackOfDocument(playbackDocument('video', facts)));

  test('publishes nothing when the room is at that position already', () => {
    const intent = { type: 'reanchor', positionSeconds: 10.01, atServerMs: 10_000 } as const;
    expect(isThere(intent, playing)).toBe(true);
    expect(isThere({ ...intent, positionSeconds: 9.5 }, playing)).toBe(false);
  });
});
