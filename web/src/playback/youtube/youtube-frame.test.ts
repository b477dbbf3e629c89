/** YouTube's frame besides playing: the silent start, adverts, rates, and the need for a person. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { cued, kinds, made, started } from '../../../testing/fake-youtube-api.ts';
import { loadYouTubeApi } from './youtube-frame.ts';

test('a cued video starts once silently, returns to its position, and then has the user’s volume', async () => {
  const { timer, fake, player } = await made();
  player.setLoudness({ volume: 0.4, isMuted: false });
  player.load('dQw4w9WgXcQ', 7);
  fake.ready();
  fake.commands.splice(0);
  fake.state(5);
  expect(fake.commands).toEqual(['volume 40', 'mute', 'play', 'rate 1.05']);
  fake.state(3);
  timer.pass(1500);
  expect(player.snapshot()).toMatchObject({ phase: 'loading', positionSeconds: 7 });
  fake.commands.splice(0);
  fake.state(1);
  expect(fake.commands).toEqual(['pause', 'seek 7']);
  fake.state(2);
  expect(fake.commands.slice(-2)).toEqual(['volume 40', 'unmute']);
  expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 7 });
});

test('a video that does not start is ready after 2.5 s, and does not start later', async () => {
  const { timer, fake, player, events } = await made();
  player.load('dQw4w9WgXcQ', 7);
  fake.ready();
  fake.state(5);
  fake.state(-1);
  timer.pass(2499);
  expect(player.snapshot().phase).toBe('loading');
  timer.pass(1);
  expect(player.snapshot().phase).toBe('paused');
  expect(fake.commands.slice(-3)).toEqual(['pause', 'volume 100', 'unmute']);
  expect(kinds(events)).toEqual([]);
  // The room has moved on: the next cue is not warmed up again.
  player.seek(10);
  fake.commands.splice(0);
  fake.state(5);
  expect(fake.commands).not.toContain('play');
  timer.pass(800);
  expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 10 });
});

test('another video, a start or a volume change during the warm-up makes nothing audible', async () => {
  const { timer, fake, player } = await made();
  player.load('dQw4w9WgXcQ', 7);
  fake.ready();
  fake.state(5);
  player.setLoudness({ volume: 1, isMuted: false });
  expect(fake.commands.at(-1)).toBe('mute');
  player.load('9bZkp7q19f0', 0);
  expect(fake.commands).toContain('unmute');
  timer.pass(5000);
  expect(player.snapshot().phase).toBe('loading');
  fake.state(5);
  fake.commands.splice(0);
  player.play();
  expect(fake.commands).toEqual(['volume 100', 'unmute', 'play']);
  fake.state(1);
  expect(fake.commands.at(-1)).toBe('play');
  expect(player.snapshot().phase).toBe('playing');
});

test('a live stream has no warm-up: its beginning is now', async () => {
  const { timer, fake, player } = await made();
  player.load('dQw4w9WgXcQ', 0);
  fake.ready();
  fake.reported.data = { video_id: 'dQw4w9WgXcQ', isLive: true };
  fake.state(5);
  expect(fake.commands).not.toContain('play');
  timer.pass(800);
  expect(player.snapshot().phase).toBe('paused');
});

test('is buffering while it reports playing and its clock stands still, as during an advert', async () => {
  const { timer, fake, player, events } = await started();
  const passWith = (seconds: number, moves: boolean) => {
    for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
      if (moves) fake.reported.seconds += 0.25;
      timer.pass(250);
    }
  };
  passWith(3, true);
  expect(player.snapshot().phase).toBe('playing');
  passWith(2, false);
  expect(player.snapshot().phase).toBe('buffering');
  passWith(10, false);
  expect(player.snapshot().phase).toBe('buffering');
  passWith(1, true);
  expect(player.snapshot().phase).toBe('playing');
  expect(kinds(events)).toEqual([]);
});

test('a paused frame and a seek do not count as an advert', async () => {
  const { timer, fake, player } = await started();
  timer.pass(750);
  player.pause();
  fake.state(2);
  timer.pass(3000);
  expect(player.snapshot().phase).toBe('paused');
  player.play();
  fake.state(1);
  timer.pass(750);
  expect(player.snapshot().phase).toBe('playing');
});

test('tests once, while a cued video is silent, a rate between the steps, and uses it if accepted', async () => {
  const { timer, fake, player } = await made();
  player.load('dQw4w9WgXcQ', 7);
  fake.ready();
  expect(player.found()).toBeNull();
  fake.state(5);
  expect(fake.commands.at(-1)).toBe('rate 1.05');
  fake.rate(1.05);
  expect(fake.commands.at(-1)).toBe('rate 1');
  expect(player.found()?.rateControl).toMatchObject({ type: 'steps', rates: expect.arrayContaining([0.95, 1.05]) });
  timer.pass(800);
  player.load('9bZkp7q19f0', 0);
  fake.state(5);
  timer.pass(800);
  expect(fake.commands.filter((command) => command === 'rate 1.05')).toHaveLength(1);
});

test.each(['another', 'no'] as const)('a frame that answers with %s rate keeps its steps', async (answer) => {
  const { timer, fake, player } = await made();
  player.load('dQw4w9WgXcQ', 7);
  fake.ready();
  fake.state(5);
  if (answer === 'another') fake.rate(1.25);
  timer.pass(500);
  expect(fake.commands.at(-1)).toBe('rate 1');
  expect(player.found()).toBeNull();
});

test('a video that is replaced during the test is cued at rate 1, and the test runs again', async () => {
  const { fake, player } = await made();
  player.load('dQw4w9WgXcQ', 7);
  fake.ready();
  fake.state(5);
  player.load('9bZkp7q19f0', 0);
  expect(fake.commands.slice(-2)).toEqual(['rate 1', 'cue 9bZkp7q19f0 0']);
  fake.state(5);
  expect(fake.commands.at(-1)).toBe('rate 1.05');
});

test('needs a person when it should play and has not for four seconds, until it plays', async () => {
  const { timer, fake, player, needs } = await cued();
  player.play();
  fake.state(-1);
  timer.pass(3999);
  expect(needs).toEqual([]);
  timer.pass(1);
  expect(needs).toEqual([true]);
  fake.state(3);
  expect(needs).toEqual([true]);
  fake.state(1);
  expect(needs).toEqual([true, false]);
});

test('no longer needs a person once it was paused or another video is loaded', async () => {
  const { timer, fake, player, needs } = await cued();
  player.play();
  fake.state(3);
  player.pause();
  timer.pass(10_000);
  player.play();
  player.load('9bZkp7q19f0', 0);
  timer.pass(10_000);
  expect(needs).toEqual([]);
});

test('a script that came late is used by the next attempt, and what was lost of it is fetched again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const state = { loading: 0, loaded: 0 };
  let fetched = 0;
  /** As YouTube's script: a copy beside one that loads does nothing. */
  const run = (): void => {
    if (state.loading === 0) fetched += 1;
    state.loading = 1;
  };
  const script = { addEventListener: () => undefined, remove: () => undefined };
  vi.stubGlobal('document', { createElement: () => script, head: { append: run } });
  vi.stubGlobal('YT', state);
  vi.stubGlobal('window', { YT: state });
  const fails = async (): Promise<void> => {
    const failing = expect(loadYouTubeApi()).rejects.toThrow('could not be fetched');
    await vi.advanceTimersByTimeAsync(10_000);
    await failing;
  };
  await fails();
  await fails();
  expect(fetched).toBe(2);
  state.loaded = 1;
  expect(await loadYouTubeApi()).toBe(state);
});
