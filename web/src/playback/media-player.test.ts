import { describe, expect, test, vi } from 'vitest';
import type { PlayerEvent } from '@tunemate/playback';
import { MediaPlayer } from './media-player.ts';

/** As much of a media element as the player looks at. */
class FakeElement extends EventTarget {
  src = '';
  preload = '';
  preservesPitch = false;
  volume = 1;
  muted = false;
  playbackRate = 1;
  duration = Number.NaN;
  readyState = 0;
  networkState = 0;
  seeking = false;
  paused = true;
  ended = false;
  error: { code: number } | null = null;
  buffered = { length: 1, start: () => 0, end: () => 42 };
  refusal: DOMException | null = null;
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
  removeAttribute(): void {
    this.src = '';
  }
  reach(readyState: number): void {
    this.readyState = readyState;
    if (readyState >= 1) this.dispatchEvent(new Event('loadedmetadata'));
  }
}

describe('the media element as a player', () => {
  function loaded(startSeconds = 0) {
    const element = new FakeElement();
    const player = new MediaPlayer(element as unknown as HTMLMediaElement);
    const events: PlayerEvent[] = [];
    player.subscribe((event) => events.push(event));
    player.load('lib_0123456789abcdef', startSeconds);
    return { element, player, events };
  }

  test('PLAY-W33 keeps the pitch, loads from /media, and starts where it is told', () => {
    const { element, player } = loaded(12);
    expect(element.preservesPitch).toBe(true);
    expect(element.src).toBe('/media/lib_0123456789abcdef');
    expect(player.snapshot()).toMatchObject({ phase: 'loading', positionSeconds: 12 });
    element.reach(4);
    expect(element.currentTime).toBe(12);
    expect(player.snapshot()).toMatchObject({ phase: 'paused', positionSeconds: 12, bufferedUntilSeconds: 42 });
  });

  test('PLAY-W34 plays, waits for data, and goes on', () => {
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

  test('PLAY-W35 says that the browser wants a tap first, and nothing of a play that was overtaken', async () => {
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

  test('PLAY-W36 counts a browser that fetches no more before a tap as ready after a while', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { element, player, events } = loaded();
    element.networkState = 1;
    element.dispatchEvent(new Event('suspend'));
    vi.advanceTimersByTime(1000);
    expect([player.snapshot().phase, events.at(-1)]).toEqual(['paused', { type: 'changed' }]);
    vi.useRealTimers();
  });

  test('PLAY-W71 a track that was fetched as a whole but can not be played yet is not ready', () => {
    const { element, player } = loaded();
    element.networkState = 1;
    element.dispatchEvent(new Event('suspend'));
    expect(player.snapshot().phase).toBe('loading');
    element.reach(4);
    expect(player.snapshot().phase).toBe('paused');
  });

  test.each([
    [2, 'network'],
    [3, 'unsupported'],
    [4, 'not-found'],
  ] as const)('PLAY-W37 reports error %i as %s', (code, expected) => {
    const { element, player, events } = loaded();
    element.error = { code };
    element.dispatchEvent(new Event('error'));
    expect(events).toContainEqual({ type: 'failed', code: expected });
    expect(player.snapshot().phase).toBe('failed');
    player.load('lib_ffffffffffffffff', 0);
    expect(player.snapshot().phase).toBe('loading');
  });

  test('PLAY-W38 reports the end once, and nothing after it was taken away', () => {
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
