import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PlayerEvent } from '@tunemate/playback';
import { deviceClock } from '../../store/clock.ts';
import { settle } from '../../../testing/fake-clock.ts';
import { countedTimers } from '../../../testing/counted-timers.ts';
import { FakeMediaElement } from '../../../testing/fake-media-element.ts';
import { MediaPlayer } from './media-player.ts';

const { schedule } = deviceClock;
const headOf = (status: number | null) => (status === null ? null : { status, type: null });

/** The part of a media element that the player uses. */
class FakeElement extends FakeMediaElement {
  muted = false;
  #currentTime = 0;
  get currentTime(): number {
    return this.#currentTime;
  }
  set currentTime(seconds: number) {
    this.#currentTime = seconds;
    this.ended = false;
  }
  load(): void {
    this.readyState = 0;
    this.#currentTime = 0;
  }
  pause(): void {
    this.paused = true;
  }
  play(): Promise<void> {
    if (this.refusal !== null) return Promise.reject(this.refusal);
    this.paused = false;
    return Promise.resolve();
  }
  reach(readyState: number): void {
    this.readyState = readyState;
    if (readyState >= 1) this.dispatchEvent(new Event('loadedmetadata'));
  }
}

describe('the media element as a player', () => {
  function loaded(startSeconds = 0, status: number | null | Promise<number> = 200) {
    const element = new FakeElement();
    const player = new MediaPlayer(element as unknown as HTMLMediaElement, {
      schedule,
      askHead: async () => headOf(await status),
    });
    const events: PlayerEvent[] = [];
    player.subscribe((event) => events.push(event));
    player.load('lib_0123456789abcdef', startSeconds);
    return { element, player, events };
  }

  test('plays a track at its factor of the volume, never above full scale, and leaves rate and position alone (SYNC-74)', () => {
    const { element, player } = loaded(12);
    element.reach(4);
    player.play();
    const before = player.snapshot();
    const rate = element.playbackRate;
    const factors = new Map([
      ['lib_0123456789abcdef', 0.25],
      ['lib_fedcba9876543210', 4],
    ]);
    player.setLoudness({ volume: 0.8, isMuted: false, factors });
    expect(element.volume).toBeCloseTo(0.2);
    expect(player.snapshot()).toMatchObject({ phase: before.phase, positionSeconds: 12, rate: before.rate });
    expect([element.playbackRate, element.currentTime, element.paused]).toEqual([rate, 12, false]);
    player.load('lib_fedcba9876543210', 0);
    expect(element.volume).toBe(1);
    player.load('lib_without_a_factor', 0);
    expect(element.volume).toBeCloseTo(0.8);
    player.setLoudness({ volume: 0.8, isMuted: false });
    expect(element.volume).toBeCloseTo(0.8);
  });

  test('where the device ignores the volume, loads the copy that is turned down, and no other track’s', () => {
    const { element, player } = loaded();
    Object.defineProperty(element, 'volume', { get: () => 1, set() {} });
    const factors = new Map([
      ['lib_0123456789abcdef', 0.376],
      ['lib_fedcba9876543210', 4],
    ]);
    player.setLoudness({ volume: 1, isMuted: false, factors });
    // Not in the middle of a track.
    expect(element.src).toBe('/media/lib_0123456789abcdef');
    player.load('lib_0123456789abcdef', 0);
    expect(element.src).toBe('/media/lib_0123456789abcdef?even=-85');
    for (const other of ['lib_fedcba9876543210', 'lib_without_a_factor']) {
      player.load(other, 0);
      expect(element.src).toBe(`/media/${other}`);
    }
    player.setLoudness({ volume: 0.5, isMuted: false });
    player.load('lib_0123456789abcdef', 0);
    expect(element.src).toBe('/media/lib_0123456789abcdef');
  });

  test('loads from /media, and starts at the given position', () => {
    const { element, player } = loaded(12);
    expect(element.src).toBe('/media/lib_0123456789abcdef');
    expect(player.snapshot()).toMatchObject({ phase: 'loading', positionSeconds: 12 });
    element.reach(4);
    expect(element.currentTime).toBe(12);
    expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 12, bufferedUntilSeconds: 42 });
  });

  test('distinguishes a pause by the device from one by the page, and from the end of the track', () => {
    const { element, player, events } = loaded();
    element.reach(4);
    const held = () => events.filter(({ type }) => type === 'held').length;
    const pauses = (): void => {
      element.paused = true;
      element.dispatchEvent(new Event('pause'));
    };
    player.play();
    player.pause();
    pauses();
    expect(held()).toBe(0);
    player.play();
    element.dispatchEvent(new Event('pause'));
    expect(held()).toBe(0);
    element.ended = true;
    pauses();
    expect(held()).toBe(0);
    element.ended = false;
    player.play();
    pauses();
    expect(held()).toBe(1);
  });

  test('a look between a pause by the device and its event does not report a player to start', () => {
    const { element, player, events } = loaded();
    element.reach(4);
    player.play();
    element.paused = true;
    expect(player.snapshot().phase).toBe('playing');
    element.dispatchEvent(new Event('pause'));
    expect(events).toContainEqual({ type: 'held' });
    expect(player.snapshot().phase).toBe('paused');
  });

  test('reports no pause by the device when the same track restarts before its end event', () => {
    const { element, player, events } = loaded();
    element.reach(4);
    player.play();
    // At its end an element is paused at once; the event follows a task later.
    element.paused = true;
    element.ended = true;
    player.seek(0);
    element.ended = false;
    element.dispatchEvent(new Event('pause'));
    expect(events.filter(({ type }) => type === 'held')).toEqual([]);
  });

  test('never preserves the pitch, since that drops sound', () => {
    const { element, player } = loaded();
    const keepsPitchAt = (rate: number): boolean => {
      player.setRate(rate);
      return element.preservesPitch;
    };
    expect([1, 0.998, 1.08, 0.92].map(keepsPitchAt)).toEqual([false, false, false, false]);
  });

  test.each([
    ['audio/mpeg', true],
    ['audio/mp4', false],
  ])('a track of type %s is inexact: %s, until another track is loaded', async (type, isInexact) => {
    const element = new FakeElement();
    const askHead = (url: string) => Promise.resolve({ status: 200, type: url.endsWith('a') ? type : null });
    const player = new MediaPlayer(element as unknown as HTMLMediaElement, { schedule, askHead });
    player.load('lib_aaaaaaaaaaaaaaaa', 0);
    await expect.poll(() => player.snapshot().isInexact).toBe(isInexact);
    player.load('lib_bbbbbbbbbbbbbbbb', 0);
    await settle();
    expect(player.snapshot().isInexact).toBe(false);
  });

  test('plays, waits for data, and continues', () => {
    const { element, player } = loaded();
    element.reach(4);
    player.play();
    expect(player.snapshot().phase).toBe('playing');
    element.readyState = 2;
    expect(player.snapshot().phase).toBe('buffering');
    element.readyState = 4;
    element.seeking = true;
    expect(player.snapshot().phase).toBe('buffering');
  });

  test('reports that the browser requires a tap first, and reports nothing for a play that another command replaced', async () => {
    const { element, player, events } = loaded();
    element.reach(4);
    element.refusal = new DOMException('overtaken', 'AbortError');
    player.play();
    await Promise.resolve();
    element.refusal = new DOMException('no gesture', 'NotAllowedError');
    player.play();
    await new Promise((done) => setImmediate(done));
    expect(events.filter(({ type }) => type === 'blocked')).toHaveLength(1);
  });

  test('counts a browser that fetches no more before a tap as ready after a while', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { element, player, events } = loaded();
    element.networkState = 1;
    element.dispatchEvent(new Event('suspend'));
    vi.advanceTimersByTime(1000);
    expect([player.snapshot().phase, events.at(-1)]).toEqual(['paused', { type: 'changed' }]);
    vi.useRealTimers();
  });

  test('a track that was fetched as a whole but can not be played yet is not ready', () => {
    const { element, player } = loaded();
    element.networkState = 1;
    element.dispatchEvent(new Event('suspend'));
    expect(player.snapshot().phase).toBe('loading');
    element.reach(4);
    expect(player.snapshot().phase).toBe('paused');
  });

  test.each([
    [2, 200, 'network'],
    [3, 200, 'unsupported'],
    [4, 404, 'not-found'],
    // Browsers also report 4 for a failed first request.
    [4, null, 'network'],
    [4, 503, 'network'],
    [4, 429, 'network'],
  ] as const)('reports error %i of a file that the server answers with %s as %s', async (code, status, expected) => {
    const { element, player, events } = loaded(0, status);
    element.error = { code };
    element.dispatchEvent(new Event('error'));
    await expect.poll(() => player.snapshot().phase).toBe('failed');
    expect(events.filter(({ type }) => type === 'failed')).toEqual([{ type: 'failed', code: expected }]);
    player.load('lib_ffffffffffffffff', 0);
    expect(player.snapshot().phase).toBe('loading');
  });

  test('reports a file that the server answers well as unsupported when it fails a second time', async () => {
    const { element, player, events } = loaded(0, 200);
    const fail = async (): Promise<void> => {
      element.error = { code: 4 };
      element.dispatchEvent(new Event('error'));
      await expect.poll(() => player.snapshot().phase).toBe('failed');
    };
    await fail();
    player.load('lib_0123456789abcdef', 0);
    await fail();
    const codes = events.flatMap((event) => (event.type === 'failed' ? [event.code] : []));
    expect(codes).toEqual(['network', 'unsupported']);
  });

  test('a place that the decoder fails at says nothing of the track, and a first one without sound all', () => {
    const { element, player, events } = loaded(0, 200);
    const failAt = (readyState: number): void => {
      element.reach(readyState);
      element.error = { code: 3 };
      element.dispatchEvent(new Event('error'));
      expect(player.snapshot().phase).toBe('failed');
    };
    failAt(1);
    for (const readyState of [4, 1]) {
      // Loaded again within the same place, nothing may be decoded.
      player.load('lib_0123456789abcdef', 30);
      failAt(readyState);
    }
    player.load('lib_ffffffffffffffff', 0);
    failAt(1);
    const codes = events.flatMap((event) => (event.type === 'failed' ? [event.code] : []));
    expect(codes).toEqual(['unsupported', 'damaged', 'damaged', 'unsupported']);
  });

  test('ignores a late answer about the previous track', async () => {
    const answer = Promise.withResolvers<number>();
    const { element, player, events } = loaded(0, answer.promise);
    element.error = { code: 4 };
    element.dispatchEvent(new Event('error'));
    expect(player.snapshot().phase).toBe('loading');
    player.load('lib_ffffffffffffffff', 0);
    answer.resolve(404);
    await new Promise((done) => setImmediate(done));
    expect(events.map(({ type }) => type)).not.toContain('failed');
    expect(player.snapshot().phase).toBe('loading');
  });

  test('reports the end once, and nothing after an unload', () => {
    const { element, player, events } = loaded();
    element.reach(4);
    element.ended = true;
    element.dispatchEvent(new Event('ended'));
    expect(events.filter(({ type }) => type === 'ended')).toHaveLength(1);
    expect(player.snapshot().phase).toBe('ended');
    player.dispose();
    element.dispatchEvent(new Event('ended'));
    expect(events.filter(({ type }) => type === 'ended')).toHaveLength(1);
  });
});

describe('an element whose position moves in steps', () => {
  const clockStepMs = 40.25;

  /** Plays from now on; `currentTime` changes every `stepMs`. */
  class PlayingElement extends FakeElement {
    readonly #stepMs: number;
    #startedAtMs = 0;
    constructor(stepMs: number) {
      super();
      this.#stepMs = stepMs;
    }
    get trueSeconds(): number {
      return this.paused ? 0 : (performance.now() - this.#startedAtMs) / 1000;
    }
    override get currentTime(): number {
      const stepSeconds = this.#stepMs / 1000;
      return stepSeconds === 0 ? this.trueSeconds : Math.floor(this.trueSeconds / stepSeconds) * stepSeconds;
    }
    override set currentTime(_: number) {}
    start(): void {
      this.#startedAtMs = performance.now();
      this.dispatchEvent(new Event('playing'));
    }
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  function playing(stepMs: number) {
    const element = new PlayingElement(stepMs);
    const timers = countedTimers();
    const player = new MediaPlayer(element as unknown as HTMLMediaElement, timers);
    player.load('lib_0123456789abcdef', 0);
    element.reach(4);
    const restsAtFirst = element.playbackRate;
    player.play();
    element.start();
    return { element, player, restsAtFirst, timers };
  }

  test('is read within 3 ms of the sound, and rests close to 1, which counts as 1', async () => {
    const { element, player, restsAtFirst } = playing(clockStepMs);
    expect(restsAtFirst).not.toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    for (let count = 0; count < 50; count += 1) {
      await vi.advanceTimersByTimeAsync(33);
      const { positionSeconds, rate } = player.snapshot();
      expect(Math.abs(positionSeconds - element.trueSeconds) * 1000).toBeLessThan(3);
      expect(rate).toBe(1);
    }
    player.setRate(1.005);
    expect(element.playbackRate).toBe(1.005);
    player.setRate(1);
    expect(element.playbackRate).toBe(restsAtFirst);
  });

  test.each([clockStepMs, 0])('is inexact until it was observed for long enough (steps of %d ms)', async (stepMs) => {
    const { player } = playing(stepMs);
    expect(player.snapshot().isInexact).toBe(true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(player.snapshot().isInexact).toBe(false);
  });

  test('one with a smooth clock rests at exactly 1 and is no longer watched once that is known', async () => {
    const { element, player, timers } = playing(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect([element.playbackRate, element.defaultPlaybackRate, timers.count()]).toEqual([1, 1, 0]);
    expect(player.snapshot().positionSeconds).toBe(element.trueSeconds);
  });

  test('is not watched after its track failed', async () => {
    const { element, player, timers } = playing(clockStepMs);
    await vi.advanceTimersByTimeAsync(1000);
    element.error = { code: 2 };
    element.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(100);
    expect([player.snapshot().phase, timers.count()]).toEqual(['failed', 0]);
  });

  test('is not watched while it is paused, nor after a dispose', async () => {
    const { element, player, timers } = playing(clockStepMs);
    await vi.advanceTimersByTimeAsync(100);
    element.pause();
    element.dispatchEvent(new Event('pause'));
    await vi.advanceTimersByTimeAsync(100);
    expect(timers.count()).toBe(0);
    player.play();
    element.start();
    player.dispose();
    expect(timers.count()).toBe(0);
  });
});
