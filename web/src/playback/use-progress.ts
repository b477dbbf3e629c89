/** The room's position for a component: read anew once a second, and at once when the room's playback changes. */
import { useEffect, useState } from 'react';
import { PROGRESS_POLL_MS } from '@tunemate/playback';
import type { PlaybackModel } from './playback-model.ts';

/** Seconds from the beginning of the track. */
export function useProgress(model: PlaybackModel): number {
  const [seconds, setSeconds] = useState(() => model.positionSeconds());
  useEffect(() => {
    const read = (): void => setSeconds(model.positionSeconds());
    read();
    const timer = setInterval(read, PROGRESS_POLL_MS);
    const stop = model.view.subscribe(read);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [model]);
  return seconds;
}
