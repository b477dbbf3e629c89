import { roomKinds } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { createDeviceSound } from './device-sound.ts';
import { createFakePlayer } from '../../testing/fake-player.ts';
import { isThere, nowPlaying } from './playback-view.ts';
import { playbackOfDocument } from '@tunemate/domain';
import { sourceOf, SourcePlayer } from './players/source-player.ts';
import { isSoughtExactly } from './players/media-element.ts';
import { syncWords } from './deck/SoundLine.tsx';
import { playbackDocument, track } from '../../testing/playback-fixtures.ts';

function memory(initial: Record<string, string> = {}): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map(Object.entries(initial));
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

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

describe('the player over several sources', () => {
  test('gives library tracks to one player and all others to the other, and unloads the inactive one', () => {
    const library = createFakePlayer();
    const youtube = createFakePlayer();
    const player = new SourcePlayer({ library: () => library, youtube: () => youtube });
    player.setLoudness({ volume: 0.5, isMuted: false });
    player.load(track('a').videoId, 0);
    player.load('dQw4w9WgXcQ', 5);
    expect(library.commands).toEqual([`load ${track('a').videoId}`, 'unload']);
    expect(youtube.commands).toEqual(['load dQw4w9WgXcQ']);
    expect(youtube.loudness()).toEqual({ volume: 0.5, isMuted: false });
    expect(sourceOf('lib_0123456789abcdef')).toBe('library');
  });

  test('forwards events of the active player only', () => {
    const library = createFakePlayer();
    const youtube = createFakePlayer();
    const player = new SourcePlayer({ library: () => library, youtube: () => youtube });
    player.load(track('a').videoId, 0);
    player.load('dQw4w9WgXcQ', 5);
    const heard: string[] = [];
    player.subscribe(({ type }) => heard.push(type));
    library.emit({ type: 'ended' });
    youtube.emit({ type: 'blocked' });
    expect(heard).toEqual(['blocked']);
  });
});

describe('the sound of this device', () => {
  test('is stored on the device', () => {
    const storage = memory();
    const first = createDeviceSound(storage);
    first.setVolume(0.3);
    first.setOffsetMs(120);
    first.setMuted(true);
    expect(createDeviceSound(storage).sound.get()).toEqual({ volume: 0.3, isMuted: true, offsetMs: 120, isEven: true });
  });

  test('is unmuted when the volume is turned up, and ignores an invalid stored value', () => {
    const model = createDeviceSound(memory({ 'tunemate/device-sound': '{"volume":"loud","offsetMs":null' }));
    expect(model.sound.get()).toEqual({ volume: 1, isMuted: false, offsetMs: 0, isEven: true });
    model.setMuted(true);
    model.setVolume(0.2);
    expect(model.sound.get().isMuted).toBe(false);
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
