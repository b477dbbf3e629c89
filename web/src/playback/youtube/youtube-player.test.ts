import { startFollowLoop, youtubeCapabilities, type PlayerEvent } from '@tunemate/playback';
import { describe, expect, test } from 'vitest';
import { settle } from '../../../testing/fake-clock.ts';
import { manualTimer } from '../../../testing/connection-fixtures.ts';
import { container, cued, kinds, made, started } from '../../../testing/fake-youtube-api.ts';
import { YouTubePlayer } from './youtube-player.ts';

describe("YouTube's embedded player as a player", () => {
  test('loads YouTube from its own origin, passes the page’s origin, and keeps the frame’s controls', async () => {
    const { fake } = await made();
    expect(fake.options()).toMatchObject({
      host: 'https://www.youtube.com',
      playerVars: { origin: 'https://tunemate.example', controls: 1 },
    });
  });

  test('cues a track requested before it was ready, and may start about 800 ms later', async () => {
    const { timer, fake, player } = await made();
    player.load('dQw4w9WgXcQ', 7);
    expect(player.snapshot().phase).toBe('loading');
    fake.ready();
    expect(fake.commands).toContain('cue dQw4w9WgXcQ 7');
    fake.cueAndWarm();
    timer.pass(799);
    expect(player.snapshot().phase).toBe('loading');
    timer.pass(1);
    expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 7 });
  });

  test('the cue of the previous video does not make a video ready', async () => {
    const { timer, fake, player } = await made();
    player.load('dQw4w9WgXcQ', 7);
    fake.ready();
    fake.state(5);
    timer.pass(300);
    player.load('9bZkp7q19f0', 0);
    timer.pass(600);
    expect(player.snapshot().phase).toBe('loading');
    fake.cueAndWarm();
    timer.pass(800);
    expect(player.snapshot().phase).toBe('paused');
  });

  test('reports playing, buffering and the end', async () => {
    const { fake, player, events } = await cued();
    player.play();
    fake.state(3);
    expect(player.snapshot().phase).toBe('buffering');
    fake.state(1);
    expect(player.snapshot()).toMatchObject({ phase: 'playing', positionSeconds: 33, durationSeconds: 200 });
    fake.state(0);
    expect(player.snapshot().phase).toBe('ended');
    expect(events.at(-1)).toEqual({ type: 'ended' });
  });

  test('a frame that an advert keeps at its beginning is not cued again before it counts as blocked', async () => {
    const { timer, fake, player } = await made(20);
    const loop = startFollowLoop({
      player: Object.assign(player, { capabilitiesFor: () => youtubeCapabilities }),
      clock: { serverNow: (nowMs) => nowMs, uncertaintyMs: () => 1, isSynced: true },
      nowMs: timer.nowMs,
      schedule: timer.schedule,
      seekToleranceSeconds: 2,
    });
    const line = { revision: 1, trackKey: 'dQw4w9WgXcQ', isPlaying: true, positionSeconds: 0 };
    loop.setTimeline({ ...line, atServerMs: timer.nowMs() + 3000 });
    fake.ready();
    fake.cueAndWarm();
    timer.pass(3000);
    expect([fake.commands.at(-1), loop.status().status]).toEqual(['play', 'cued']);
    fake.state(-1);
    timer.pass(6000);
    expect([fake.commands.at(-1), loop.status().status]).toEqual(['play', 'blocked']);
  });

  test('a pause in the frame holds this device; until that is certain the video is buffering', async () => {
    const { timer, fake, player, events } = await started();
    fake.state(2);
    expect(player.snapshot().phase).toBe('buffering');
    timer.pass(1000);
    expect(player.snapshot().phase).toBe('paused');
    expect(kinds(events)).toEqual(['held']);
  });

  test('a person’s start in the frame is reported, a commanded one is not', async () => {
    const { timer, fake, player, events } = await started();
    player.pause();
    fake.state(2);
    timer.pass(5000);
    expect(kinds(events)).toEqual([]);
    fake.state(1);
    expect(kinds(events)).toEqual(['started']);
  });

  test('a person’s seek in the frame is reported with its position, a commanded one is not', async () => {
    const { timer, fake, player, events } = await started();
    timer.pass(3000);
    player.seek(90);
    fake.reported.seconds = 90;
    fake.state(3);
    fake.state(1);
    timer.pass(5000);
    expect(kinds(events)).toEqual([]);
    fake.reported.seconds = 20;
    timer.pass(500);
    expect(events.filter(({ type }) => type === 'sought')).toEqual([{ type: 'sought', positionSeconds: 20 }]);
  });

  test('plays the next track at rate 1 after the previous one had another', async () => {
    const { fake, player } = await cued();
    player.play();
    fake.state(1);
    player.setRate(1.25);
    player.load('9bZkp7q19f0', 0);
    expect(fake.commands.slice(-2)).toEqual(['rate 1', 'cue 9bZkp7q19f0 0']);
    player.load('dQw4w9WgXcQ', 0);
    expect(fake.commands.at(-2)).toBe('cue 9bZkp7q19f0 0');
  });

  test('is no longer loading once it plays, even if the cue was not reported', async () => {
    const { fake, player } = await made();
    player.load('dQw4w9WgXcQ', 7);
    fake.ready();
    fake.state(1);
    expect(player.snapshot()).toMatchObject({ phase: 'playing', positionSeconds: 33 });
  });

  test('cues again instead of seeking before the start, which would make it play', async () => {
    const { timer, fake, player } = await made();
    player.load('dQw4w9WgXcQ', 7);
    fake.ready();
    fake.state(5);
    timer.pass(2500);
    player.seek(50);
    expect(fake.commands.at(-1)).toBe('cue dQw4w9WgXcQ 50');
    fake.state(1);
    player.seek(60);
    expect(fake.commands.at(-1)).toBe('seek 60');
  });

  test.each([
    [2, 'invalid'],
    [5, 'unsupported'],
    [100, 'not-found'],
    [101, 'not-embeddable'],
    [150, 'not-embeddable'],
    [153, 'refused'],
  ] as const)('reports error %i as %s', async (data, code) => {
    const { fake, player, events } = await cued();
    fake.error(data);
    expect(events.at(-1)).toEqual({ type: 'failed', code });
    expect(player.snapshot().phase).toBe('failed');
  });

  test('reports that the browser needs a tap, by the frame’s event or after a start without effect', async () => {
    const said = await cued();
    said.fake.blocked();
    expect(said.events.at(-1)).toEqual({ type: 'blocked' });
    const silent = await cued();
    silent.player.play();
    silent.timer.pass(4000);
    expect(silent.events.at(-1)).toEqual({ type: 'blocked' });
  });

  test('fails as a network failure when the script cannot be fetched, and tries again with the next track', async () => {
    let fetches = 0;
    const player = new YouTubePlayer({
      container,
      origin: '',
      loadApi: () => {
        fetches += 1;
        return Promise.reject(new Error('offline'));
      },
      schedule: manualTimer().schedule,
      nowMs: manualTimer().nowMs,
      onNeed: () => undefined,
    });
    const events: PlayerEvent[] = [];
    player.subscribe((event) => events.push(event));
    player.load('dQw4w9WgXcQ', 0);
    await settle();
    expect(events).toEqual([{ type: 'failed', code: 'network' }]);
    player.load('9bZkp7q19f0', 0);
    await settle();
    expect(fetches).toBe(2);
  });

  test('attributes the first error to a replaced track whose cue was never answered, and the second one to the current track', async () => {
    const { fake, player, events } = await made();
    fake.ready();
    player.load('brokenVideo', 0);
    player.load('dQw4w9WgXcQ', 7);
    fake.error(150);
    expect(fake.commands.at(-1)).toBe('cue dQw4w9WgXcQ 7');
    expect(player.snapshot().phase).toBe('loading');
    fake.error(100);
    expect(events.filter(({ type }) => type === 'failed')).toEqual([{ type: 'failed', code: 'not-found' }]);
    expect(player.snapshot().phase).toBe('failed');
  });

  test('accepts the first error of a track once the frame has cued it, and none without a track', async () => {
    const { fake, player, events } = await made();
    fake.ready();
    player.load('brokenVideo', 0);
    player.unload();
    fake.error(150);
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
    player.load('otherVideo1', 0);
    player.load('dQw4w9WgXcQ', 7);
    fake.state(5);
    fake.error(150);
    expect(player.snapshot().phase).toBe('failed');
  });

  test('the end of the previous track is not the end of the one being loaded', async () => {
    const { fake, player, events } = await cued();
    player.play();
    fake.state(1);
    player.load('9bZkp7q19f0', 0);
    fake.state(0);
    expect(events.map(({ type }) => type)).not.toContain('ended');
    expect(player.snapshot().phase).toBe('loading');
  });

  test('a frame that does not exist after 10 s is a network failure, and is created again for the next load', async () => {
    const { timer, fake, player, events } = await made();
    player.load('dQw4w9WgXcQ', 7);
    timer.pass(9999);
    expect(player.snapshot().phase).toBe('loading');
    timer.pass(1);
    expect(events.at(-1)).toEqual({ type: 'failed', code: 'network' });
    expect(player.snapshot().phase).toBe('failed');
    player.load('dQw4w9WgXcQ', 20);
    await settle();
    expect(fake.made()).toBe(2);
    fake.ready();
    fake.cueAndWarm();
    timer.pass(800);
    expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 20 });
    timer.pass(20_000);
    expect(player.snapshot().phase).toBe('paused');
  });

  test('a cue without an answer after 10 s is a network failure too, and the video is cued again', async () => {
    const { timer, fake, player, events } = await cued();
    player.load('9bZkp7q19f0', 0);
    timer.pass(10_000);
    expect(events.at(-1)).toEqual({ type: 'failed', code: 'network' });
    player.load('9bZkp7q19f0', 30);
    expect(fake.commands.at(-1)).toBe('cue 9bZkp7q19f0 30');
    fake.state(5);
    timer.pass(20_000);
    expect(player.snapshot().phase).toBe('paused');
  });

  test('reports the title of its video, and not that of the previous one', async () => {
    const { fake, player } = await cued();
    fake.reported.data = { video_id: 'dQw4w9WgXcQ', title: ' Velvet\u202e Hour ', author: 'Nadia', isLive: false };
    expect(player.snapshot().title).toBe('Velvet Hour – Nadia');
    fake.reported.data = { video_id: 'dQw4w9WgXcQ', title: 'Nadia: Velvet Hour', author: 'Nadia' };
    expect(player.snapshot().title).toBe('Nadia: Velvet Hour');
    fake.reported.data = { video_id: 'dQw4w9WgXcQ', title: '', author: 'Nadia' };
    expect(player.snapshot().title).toBeNull();
    fake.reported.data = { video_id: '9bZkp7q19f0', title: 'Another', author: '' };
    expect(player.snapshot().title).toBeNull();
    fake.reported.data = undefined as never;
    expect(player.snapshot().title).toBeNull();
  });

  test('a live stream has an edge and no length, as reported or because its length keeps growing', async () => {
    const { timer, fake, player } = await cued();
    fake.state(1);
    expect(player.snapshot()).toMatchObject({ durationSeconds: 200, liveEdgeSeconds: null });
    fake.reported.data = { video_id: 'dQw4w9WgXcQ', isLive: true };
    expect(player.snapshot()).toMatchObject({ durationSeconds: null, liveEdgeSeconds: 200 });
    fake.reported.data = { video_id: 'dQw4w9WgXcQ' };
    expect(player.snapshot().durationSeconds).toBeNull();
    const seen = Array.from({ length: 20 }, () => {
      timer.pass(1000);
      fake.reported.duration += 1;
      return player.snapshot();
    });
    expect(seen.map(({ durationSeconds }) => durationSeconds).filter((length) => length !== null)).toEqual([]);
    expect(seen.at(-1)).toMatchObject({ liveEdgeSeconds: 220 });
    player.load('9bZkp7q19f0', 0);
    fake.cueAndWarm();
    timer.pass(800);
    fake.reported.data = {};
    player.snapshot();
    timer.pass(1500);
    expect(player.snapshot()).toMatchObject({ durationSeconds: 220, liveEdgeSeconds: null });
  });
});
