import { videoId, type AudioPlayback, type VideoPlayback } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { isPlaybackChange, playbackOfDocument, thumbnailOf, withThumbnail } from './playback.ts';

const fromLibrary = videoId.parse('lib_0123456789abcdef');
const fromYouTube = videoId.parse('lib_-WgXcQa');
const track = (id: typeof fromLibrary, title: string) => ({ videoId: id, title, thumbnail: null, durationSeconds: 61 });
const common = {
  revision: 7,
  isPlaying: true,
  currentTime: 12.5,
  updatedAt: 90_000,
  durationSeconds: 61,
  controller: 'a tab',
};
const timeline = { revision: 7, isPlaying: true, positionSeconds: 12.5, atServerMs: 90_000 };
const audio: AudioPlayback = {
  kind: 'audio',
  ...common,
  videoId: fromLibrary,
  audioUrl: '',
  title: 'Rain',
  thumbnail: '/a.png',
  currentIndex: 0,
  audioQueue: [{ videoId: fromLibrary, title: 'Rain', thumbnail: '/a.png', durationSeconds: 61 }],
  afterTrack: 'stop',
};

describe('the playback of a document', () => {
  test('is the item of the queue that the document points at (SYNC-S18)', () => {
    const videoQueue = [track(fromLibrary, 'Rain'), track(fromYouTube, 'Sun')];
    const document: VideoPlayback = {
      kind: 'video',
      ...common,
      currentVideoId: fromYouTube,
      currentVideoTitle: 'Sun',
      currentIndex: 1,
      videoQueue,
    };
    expect(playbackOfDocument(document)).toEqual({
      timeline: { ...timeline, trackKey: fromYouTube },
      queue: { videoQueue, currentIndex: 1 },
      controller: 'a tab',
      afterTrack: 'queue',
    });
    expect(playbackOfDocument({ ...document, videoQueue: [], currentIndex: 0 }).timeline.trackKey).toBeNull();
  });

  test('is the same for the queue of an audio room, which also has its own setting for after the track (SYNC-S18)', () => {
    expect(playbackOfDocument(audio)).toEqual({
      timeline: { ...timeline, trackKey: fromLibrary },
      queue: {
        videoQueue: [{ videoId: fromLibrary, title: 'Rain', thumbnail: '/a.png', durationSeconds: 61 }],
        currentIndex: 0,
      },
      controller: 'a tab',
      afterTrack: 'stop',
    });
    const silent = playbackOfDocument({ ...audio, videoId: null, audioQueue: [] });
    expect([silent.queue, silent.timeline.trackKey]).toEqual([{ videoQueue: [], currentIndex: 0 }, null]);
  });

  test('changes only with playback changes (SYNC-S18)', () => {
    const types = ['playback/moved', 'playback/queueChanged', 'rooms/ended', 'rooms/playback/moved', 'playback'];
    expect(types.map((type) => isPlaybackChange({ type }))).toEqual([true, true, false, false, false]);
  });
});

describe('pictures', () => {
  test('come from this server or from the video service, by the id alone', () => {
    expect(thumbnailOf(fromLibrary)).toBe('/media/lib_0123456789abcdef/cover');
    expect(thumbnailOf(fromYouTube)).toBe('https://i.ytimg.com/vi/lib_-WgXcQa/default.jpg');
  });

  test('are the only ones a named track gets', () => {
    const named = { ...track(fromYouTube, 'Sun'), thumbnail: 'https://elsewhere.example/spy.png' };
    expect(withThumbnail(named)).toEqual({ ...named, thumbnail: 'https://i.ytimg.com/vi/lib_-WgXcQa/default.jpg' });
  });
});
