/** Which stretch of a media element's data is loaded. Knows nothing of how it is fetched. */
import type { PlayerSnapshot } from '@tunemate/playback';

/** The stretch of loaded data that a position lies in. */
export function bufferedAround(
  ranges: TimeRanges,
  positionSeconds: number,
): Pick<PlayerSnapshot, 'bufferedFromSeconds' | 'bufferedUntilSeconds'> {
  for (let index = 0; index < ranges.length; index += 1) {
    const [from, until] = [ranges.start(index), ranges.end(index)];
    const isInside = from <= positionSeconds + 0.1 && until >= positionSeconds;
    if (isInside) return { bufferedFromSeconds: from, bufferedUntilSeconds: until };
  }
  return { bufferedFromSeconds: null, bufferedUntilSeconds: null };
}
