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

/** How often a file was fetched. */
const fetchesOf = (file: string): number =>
  performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(`/${file}`)).length;

test('a stream of which one piece is damaged or gone plays on behind it', async () => {
  const streams = [
    ...['second-noise.ts', 'second-page.ts', 'second-cut.ts', 'first-noise.ts'],
    ...['second-noise.mp4', 'second-zeros.mp4', 'first-noise.mp4', 'second-gone.mp4', 'second-picture.mp4'],
  ];
  const heard = await Promise.all(
    streams.map(async (file) => {
      const isFirst = file.startsWith('first');
      const { player, events } = open(`${file}.m3u8`, isFirst ? 0 : 1.2);
      if (!isFirst) await expect.poll(() => player.snapshot().phase).toBe('paused');
      player.play();
      await expect
        .poll(() => player.snapshot().positionSeconds, { message: file })
        .toBeGreaterThan(isFirst ? 2.2 : 4.2);
      const odd = events.filter(({ type }) => type === 'held' || type === 'failed');
      return [file, odd, fetchesOf(file) <= 12];
    }),
  );
  expect(heard).toEqual(streams.map((file) => [file, [], true]));
});

test('a stream of damaged pieces alone is said', async () => {
  const streams = ['all-noise.ts', 'all-noise.mp4', 'all-page.mp4'].map((file) => ({ file, ...open(`${file}.m3u8`) }));
  for (const { file, player, failures } of streams) {
    player.play();
    await expect.poll(failures, { message: file }).toEqual([{ type: 'failed', code: 'unsupported' }]);
    expect(fetchesOf(file)).toBeLessThanOrEqual(12);
  }
});

test('a stream whose pieces arrive whole and fail in the decoder plays on behind them, and is said where all do', async () => {
  const all = open('all-coded.m3u8');
  all.player.play();
  await Promise.all(
    ['second-coded', 'second-tuned'].map(async (file) => {
      const { player, failures } = open(`${file}.m3u8`);
      player.play();
      await expect.poll(() => player.snapshot().positionSeconds, { message: file }).toBeGreaterThan(4.5);
      expect(failures()).toEqual([]);
    }),
  );
  await expect.poll(all.failures).toEqual([{ type: 'failed', code: 'unsupported' }]);
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
