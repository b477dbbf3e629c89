/**
 * How long a video is, by what its player says from moment to moment. YouTube gives a live stream as long as it has been
 * going on; a length that keeps growing is none. Pure.
 */

interface VideoLength {
  /** As last told; 0 while nothing was. */
  readonly seconds: number;
  readonly sinceMs: number;
  /** How often it has grown. */
  readonly growths: number;
}

export const noLength: VideoLength = { seconds: 0, sinceMs: 0, growths: 0 };

/** Less is rounding. */
const growthSeconds = 0.2;
/** A length is corrected once when the video's data come; a live stream's grows on. */
const liveAfterGrowths = 3;
const settledAfterMs = 1500;

export function watchLength(before: VideoLength, seconds: number, nowMs: number): VideoLength {
  if (Math.abs(seconds - before.seconds) < growthSeconds) return before;
  const isGrowth = before.seconds > 0 && seconds > before.seconds;
  return { seconds, sinceMs: nowMs, growths: isGrowth ? before.growths + 1 : 0 };
}

/** `isSaidLive` is the player's own word, where it gives one. */
export function isLive({ growths }: VideoLength, isSaidLive: boolean | undefined): boolean {
  return isSaidLive === true || growths >= liveAfterGrowths;
}

/** The length of a video that has one; null for a live stream, and until it has stood still for a while. */
export function lengthOf(length: VideoLength, isSaidLive: boolean | undefined, nowMs: number): number | null {
  if (length.seconds <= 0 || isLive(length, isSaidLive)) return null;
  const isSettled = isSaidLive === false || nowMs - length.sinceMs >= settledAfterMs;
  return isSettled ? length.seconds : null;
}
