/**
 * The room's position for a component: read once a second, just after a whole second has passed in the music, and at
 * once when the room's playback changes.
 */
import { useEffect, useState } from 'react';
import { progressPollMs } from '@tunemate/playback';
import type { PlaybackModel } from '../playback-model.ts';

/** Late enough that the second has really begun when the timer fires early. */
const afterTheSecondMs = 15;

/** Seconds from the beginning of the track. */
export function useProgress(model: PlaybackModel): number {
  const [seconds, setSeconds] = useState(() => model.positionSeconds());
  useEffect(() => {
    let timer = 0;
    const read = (): void => {
      const now = model.positionSeconds();
      setSeconds(now);
      clearTimeout(timer);
      timer = window.setTimeout(read, progressPollMs - ((now * 1000) % progressPollMs) + afterTheSecondMs);
    };
    read();
    const stop = model.view.subscribe(read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model]);
  return seconds;
}
