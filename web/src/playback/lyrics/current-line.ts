/** Which line of a track is sung now, by the room's clock, and when the next one is. Nothing here asks a player. */
import { useEffect, useState } from 'react';
import type { PlaybackModel } from '../playback-model.ts';

/** In the order of their times; seconds from the beginning of the track. */
type Times = readonly { readonly atSeconds: number }[];

/** -1 before the first line. */
export function lineAt(lines: Times, seconds: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.atSeconds ?? Number.POSITIVE_INFINITY) <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The room's clock may have been corrected meanwhile. */
const longestWaitMs = 1000;
/** Timers are at times a little early. */
const spareMs = 1;

/** How long the line lasts, in milliseconds. */
export function lineLastsMs(lines: Times, line: number, seconds: number): number {
  const next = lines[line + 1]?.atSeconds ?? Number.POSITIVE_INFINITY;
  // No number where the position is none.
  return Math.min(longestWaitMs, Math.max(0, (next - seconds) * 1000) + spareMs) || longestWaitMs;
}

/** The line that the room is at. Every device changes it at the same moment, whatever its own player does. */
export function useCurrentLine(model: Pick<PlaybackModel, 'positionSeconds' | 'view'>, lines: Times): number {
  const [line, setLine] = useState(() => lineAt(lines, model.positionSeconds()));
  useEffect(() => {
    let timer = 0;
    const read = (): void => {
      const seconds = model.positionSeconds();
      const now = lineAt(lines, seconds);
      setLine(now);
      clearTimeout(timer);
      timer = window.setTimeout(read, lineLastsMs(lines, now, seconds));
    };
    read();
    const stop = model.view.subscribe(read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model, lines]);
  return line;
}
