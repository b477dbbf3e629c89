/** The room's position as pages show it: one reading for all who show it, so that a second draws them together. */
import { progressPollMs } from '@tunemate/playback';
import { cell, type Readable } from '../store/cell.ts';
import type { PlaybackModel } from './playback-model.ts';
import { isShownPlaying } from './playback-view.ts';

/** Allows for a timer that fires early. */
const afterTheSecondMs = 15;

/**
 * In seconds from the beginning of the track. Read just after a whole second has passed in the music, and at once when the
 * room's playback changes. While nothing plays, or no part of a page shows it, no timer runs.
 */
export function progressOf(model: Pick<PlaybackModel, 'view' | 'positionSeconds'>): Readable<number> {
  const { view } = model;
  const seconds = cell(model.positionSeconds());
  let shown = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function read(): void {
    const now = model.positionSeconds();
    clearTimeout(timer);
    if (shown > 0 && isShownPlaying(view.get())) {
      timer = setTimeout(read, progressPollMs - ((now * 1000) % progressPollMs) + afterTheSecondMs);
    }
    seconds.set(now);
  }
  view.subscribe(read);
  return {
    get: seconds.get,
    subscribe(onChange) {
      const stop = seconds.subscribe(onChange);
      shown += 1;
      if (shown === 1) read();
      return () => {
        stop();
        shown -= 1;
        if (shown === 0) clearTimeout(timer);
      };
    },
  };
}
