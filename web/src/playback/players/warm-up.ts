/**
 * Lets a media element that has just loaded start once without a sound, and takes it back to where it was. The first
 * start of a page opens the device's sound, and the first of a track its decoder, whose duration nobody can influence;
 * measured in Chromium: 190 to 390 ms for the first start of a page, 86 to 90 ms for one after this.
 */
import type { Schedule } from '@tunemate/playback';

/** How often the position is looked at. */
const lookMs = 10;
/** A player that has not moved by then is left without a warm-up, so that nobody waits longer for it. */
const patienceMs = 1000;

/**
 * Begins at once and leaves the element muted; `onOver` is called when it stands still again. Returns the function that
 * ends it early. The timers must keep their time in a hidden tab, or its listener would wait for seconds.
 */
export function warmUp(element: HTMLMediaElement, schedule: Schedule, onOver: () => void): () => void {
  const fromSeconds = element.currentTime;
  const untilMs = performance.now() + patienceMs;
  const ending = new AbortController();
  const { signal } = ending;
  let cancel = (): void => undefined;

  function end(): void {
    if (signal.aborted) return;
    ending.abort();
    onOver();
  }

  function goBack(): void {
    element.pause();
    if (element.currentTime === fromSeconds) return end();
    element.addEventListener('seeked', end, { signal });
    element.currentTime = fromSeconds;
  }

  function look(): void {
    const isOver = element.currentTime !== fromSeconds || performance.now() >= untilMs;
    if (isOver) goBack();
    else cancel = schedule(look, lookMs);
  }

  signal.addEventListener('abort', () => cancel());
  element.muted = true;
  // The browser refused even a muted start: the track stays without a warm-up.
  element.play().catch(end);
  look();
  return () => ending.abort();
}
