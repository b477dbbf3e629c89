/** Streams of another server in a real media element. */
import type { PlayerEvent } from '@tunemate/playback';
import { expect, onTestFinished, test } from 'vitest';
import { deviceClock } from '../../store/clock.ts';
import { MediaPlayer } from './media-player.ts';

function open(file: string, startSeconds = 0) {
  const element = document.createElement('video');
  document.body.append(element);
  const player = new MediaPlayer(element, { schedule: deviceClock.schedule });
  const events: PlayerEvent[] = [];
  player.subscribe((event) => events.push(event));
  player.setLoudness({ volume: 1, isMuted: true });
  player.load(`link:${location.origin}/media/hls/${file}`, startSeconds);
  onTestFinished(() => {
    player.dispose();
    element.remove();
  });
  const failures = () => events.filter((event) => event.type === 'failed');
  return { element, player, events, failures };
}

test('a stream is cued at its place, plays, seeks and ends, and its length is known', async () => {
  const { element, player, events } = open('film.m3u8', 2);
  await expect.poll(() => player.snapshot().phase).toBe('paused');
  const { positionSeconds, durationSeconds } = player.snapshot();
  expect([Math.round(positionSeconds), Math.round(durationSeconds ?? 0)]).toEqual([2, 6]);
  expect(element.videoWidth).toBe(64);
  player.play();
  await expect.poll(() => player.snapshot().positionSeconds).toBeGreaterThan(2.2);
  player.seek(5);
  await expect.poll(() => events.some(({ type }) => type === 'ended')).toBe(true);
  player.unload();
  expect(player.snapshot().phase).toBe('empty');
  expect(element.getAttribute('src')).toBeNull();
});

test.each([
  ['live.m3u8', 'live'],
  ['gone.m3u8', 'not-found'],
  ['refused.m3u8', 'not-found'],
  ['text.m3u8', 'network'],
])('of %s the player says %s', async (file, code) => {
  const { player, failures } = open(file);
  await expect.poll(failures).toEqual([{ type: 'failed', code }]);
  expect(player.snapshot().phase).toBe('failed');
});

test('another track ends the stream before', async () => {
  const { element, player, failures } = open('film.m3u8');
  player.load('lib_0123456789abcdef', 0);
  await expect.poll(() => player.snapshot().phase).toBe('paused');
  expect(element.src).toContain('/media/lib_0123456789abcdef');
  player.load(`link:${location.origin}/media/hls/film.m3u8`, 0);
  await expect.poll(() => Math.round(player.snapshot().durationSeconds ?? 0)).toBe(6);
  expect(failures()).toEqual([]);
});
