/** The warm-up, on an element that starts as late as on the first start of a page. */
import type { PlayerEvent, Schedule } from '@tunemate/playback';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countedTimers } from '../../../testing/counted-timers.ts';
import { FakeMediaElement } from '../../../testing/fake-media-element.ts';
import { MediaPlayer } from './media-player.ts';

const coldMs = 300;
const seekMs = 40;

/** An element whose sound comes `coldMs` after its first start, and which records whether anything was audible. */
class ColdElement extends FakeMediaElement {
  override duration = 100;
  override networkState = 2;
  coldMs = coldMs;
  plays = 0;
  heardMs = 0;
  #isMuted = false;
  #atSeconds = 0;
  #soundsFromMs: number | null = null;

  get currentTime(): number {
    return this.#atSeconds + this.#soundingMs() / 1000;
  }
  set currentTime(seconds: number) {
    this.#rest(seconds);
    this.seeking = true;
    setTimeout(() => {
      this.seeking = false;
      this.dispatchEvent(new Event('seeked'));
    }, seekMs);
  }
  get muted(): boolean {
    return this.#isMuted;
  }
  set muted(isMuted: boolean) {
    this.#rest(this.currentTime);
    this.#isMuted = isMuted;
  }
  load(): void {
    this.pause();
    this.readyState = 0;
    this.#rest(0);
  }
  pause(): void {
    this.#rest(this.currentTime);
    this.paused = true;
    this.#soundsFromMs = null;
  }
  play(): Promise<void> {
    this.plays += 1;
    if (this.refusal !== null) return Promise.reject(this.refusal);
    this.paused = false;
    this.#soundsFromMs ??= performance.now() + this.coldMs;
    return Promise.resolve();
  }
  canPlay(): void {
    this.readyState = 4;
    for (const name of ['loadedmetadata', 'canplay']) this.dispatchEvent(new Event(name));
  }
  /** The sound so far counts as heard unless it was muted. */
  #rest(atSeconds: number): void {
    if (!this.#isMuted) this.heardMs += this.#soundingMs();
    this.#atSeconds = atSeconds;
    if (this.#soundsFromMs !== null) this.#soundsFromMs = Math.max(this.#soundsFromMs, performance.now());
  }
  #soundingMs(): number {
    return this.#soundsFromMs === null ? 0 : Math.max(0, performance.now() - this.#soundsFromMs);
  }
}

describe('warming up a media element', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  function loaded(startSeconds = 0, change: Partial<ColdElement> = {}) {
    const element = Object.assign(new ColdElement(), change);
    const timers = countedTimers();
    const player = new MediaPlayer(element as unknown as HTMLMediaElement, timers);
    const events: PlayerEvent[] = [];
    player.subscribe((event) => events.push(event));
    player.setLoudness({ volume: 0.7, isMuted: false });
    player.load('lib_0123456789abcdef', startSeconds);
    element.canPlay();
    return { element, player, events, timers };
  }
  const phase = (player: MediaPlayer) => player.snapshot().phase;

  test('a loaded track starts once silently before it counts as ready, and returns to its cued position', async () => {
    const { element, player, events } = loaded(12);
    await vi.advanceTimersByTimeAsync(seekMs);
    expect([element.paused, element.muted, phase(player)]).toEqual([false, true, 'loading']);
    await vi.advanceTimersByTimeAsync(coldMs + seekMs + 20);
    expect([element.paused, phase(player), player.snapshot().positionSeconds]).toEqual([true, 'paused', 12]);
    expect(events.at(-1)).toEqual({ type: 'changed' });
    expect([element.plays, element.heardMs]).toEqual([1, 0]);
  });

  test('the start itself has the listener’s volume', async () => {
    const { element, player } = loaded();
    await vi.advanceTimersByTimeAsync(1000);
    player.play();
    expect([element.muted, element.volume, phase(player)]).toEqual([false, 0.7, 'playing']);
    const silent = loaded();
    await vi.advanceTimersByTimeAsync(1000);
    silent.player.setLoudness({ volume: 0.7, isMuted: true });
    silent.player.play();
    expect(silent.element.muted).toBe(true);
  });

  test('changing the volume during it makes nothing audible', async () => {
    const { element, player } = loaded();
    player.setLoudness({ volume: 1, isMuted: false });
    await vi.advanceTimersByTimeAsync(1000);
    expect([element.heardMs, element.volume]).toEqual([0, 1]);
  });

  test('a track is warmed up once, and not again after a seek', async () => {
    const { element, player } = loaded();
    await vi.advanceTimersByTimeAsync(1000);
    player.seek(50);
    await vi.advanceTimersByTimeAsync(1000);
    element.canPlay();
    expect(element.plays).toBe(1);
  });

  test.each(['play', 'pause', 'seek', 'load', 'unload', 'dispose'] as const)(
    '%s ends a running warm-up, which stays silent',
    async (command) => {
      const { element, player, timers } = loaded();
      await vi.advanceTimersByTimeAsync(coldMs + 5);
      if (command === 'seek') player.seek(40);
      else if (command === 'load') player.load('lib_ffffffffffffffff', 0);
      else player[command]();
      expect(element.heardMs).toBe(0);
      await vi.advanceTimersByTimeAsync(2000);
      expect([element.paused, timers.count()]).toEqual([command !== 'play', 0]);
      expect(element.heardMs).toBe(0);
    },
  );

  test('an element that does not start delays playback by at most a second', async () => {
    const { element, player } = loaded(0, { coldMs: 60_000 });
    await vi.advanceTimersByTimeAsync(1000 + seekMs + 20);
    expect([element.paused, phase(player)]).toEqual([true, 'paused']);
  });

  test('after a browser refuses a silent start there is no second one, and the start needs a tap', async () => {
    const refusal = new DOMException('no gesture', 'NotAllowedError');
    const { element, player, events } = loaded(0, { refusal });
    await vi.advanceTimersByTimeAsync(0);
    expect([phase(player), events.some(({ type }) => type === 'blocked')]).toEqual(['paused', false]);
    player.play();
    await vi.advanceTimersByTimeAsync(0);
    expect(events.at(-1)).toEqual({ type: 'blocked' });
    player.load('lib_ffffffffffffffff', 0);
    element.canPlay();
    expect([element.plays, phase(player)]).toEqual([2, 'paused']);
  });

  test('a track whose length is corrected once it can play is warmed up then, and gets ready', async () => {
    const { element, player } = loaded(0, { duration: 1.5 });
    element.duration = 100;
    element.dispatchEvent(new Event('durationchange'));
    await vi.advanceTimersByTimeAsync(coldMs + seekMs + 20);
    expect([element.plays, phase(player)]).toEqual([1, 'paused']);
  });

  test("a warm-up uses the room's timers, which stay exact in a background tab", async () => {
    const element = new ColdElement();
    const waiting = new Set<() => void>();
    const schedule: Schedule = (task) => {
      waiting.add(task);
      return () => waiting.delete(task);
    };
    const player = new MediaPlayer(element as unknown as HTMLMediaElement, { schedule });
    player.load('lib_0123456789abcdef', 0);
    element.canPlay();
    await vi.advanceTimersByTimeAsync(coldMs + 5);
    expect([element.paused, waiting.size]).toEqual([false, 1]);
    for (const task of waiting) task();
    await vi.advanceTimersByTimeAsync(seekMs);
    expect([element.paused, phase(player)]).toEqual([true, 'paused']);
  });

  test('a track that would end during it is not warmed up', () => {
    const { element } = loaded(0, { duration: 1.5 });
    expect(element.plays).toBe(0);
  });
});
