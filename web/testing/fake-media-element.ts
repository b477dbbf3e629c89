/** What the player looks at of a media element, for tests; how it starts and moves is each test's own. */
export class FakeMediaElement extends EventTarget {
  src = '';
  preload = '';
  preservesPitch = true;
  volume = 1;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  duration = Number.NaN;
  readyState = 0;
  networkState = 0;
  seeking = false;
  paused = true;
  ended = false;
  error: { code: number } | null = null;
  buffered = { length: 1, start: () => 0, end: () => 42 };
  refusal: DOMException | null = null;

  removeAttribute(): void {
    this.src = '';
  }
}
