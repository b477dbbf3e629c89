/**
 * How long a video is, by what its player says from moment to moment. YouTube gives a live stream as long as it has been
 * going on; a length that keeps growing is none. Knows no player.
 */
import type { PlayerSnapshot } from '@tunemate/playback';

/** Less is rounding. */
const growthSeconds = 0.2;
/** A length is corrected once when the video's data come; a live stream's grows on. */
const liveAfterGrowths = 3;
const settledAfterMs = 1500;

type Length = Required<Pick<PlayerSnapshot, 'durationSeconds' | 'liveEdgeSeconds'>>;

export const unknownLength: Length = { durationSeconds: null, liveEdgeSeconds: null };

/** Of one video. */
export class VideoLength {
  /** As last told; 0 while nothing was. */
  #seconds = 0;
  #sinceMs = 0;
  /** How often it has grown. */
  #growths = 0;

  /** The player's word; `isSaidLive` where it gives one. No length for a live stream, and none until it has stood still for a while. */
  told(seconds: number, isSaidLive: boolean | undefined, nowMs: number): Length {
    this.#watch(seconds, nowMs);
    if (isSaidLive === true || this.#growths >= liveAfterGrowths)
      return { durationSeconds: null, liveEdgeSeconds: seconds };
    const isSettled = isSaidLive === false || nowMs - this.#sinceMs >= settledAfterMs;
    return { durationSeconds: this.#seconds > 0 && isSettled ? this.#seconds : null, liveEdgeSeconds: null };
  }

  #watch(seconds: number, nowMs: number): void {
    if (Math.abs(seconds - this.#seconds) < growthSeconds) return;
    const isGrowth = this.#seconds > 0 && seconds > this.#seconds;
    [this.#seconds, this.#sinceMs, this.#growths] = [seconds, nowMs, isGrowth ? this.#growths + 1 : 0];
  }
}
