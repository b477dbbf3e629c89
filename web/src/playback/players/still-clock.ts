/**
 * Tells an advert from a video that plays, where YouTube's frame calls both playing: the clock of the video stands still
 * meanwhile. Pure; what the frame says between two messages is guessed from the last one, up to a second further.
 */

interface Progress {
  /** Where the clock was when it last got on, and when that was. */
  readonly seconds: number;
  readonly atMs: number;
  /** How often it was looked at since then. */
  readonly looks: number;
}

/** A clock that stands still shows as much from one message to the next. */
const noiseSeconds = 0.3;
/** Behind the furthest place by more than a guess: it was moved. */
const movedBackSeconds = 1.2;
const stillAfterMs = 1000;
/** A page that did not run for a while has seen nothing. */
const looksToJudge = 3;

export function watchProgress(before: Progress | null, seconds: number, nowMs: number): Progress {
  const hasMoved =
    before === null || seconds > before.seconds + noiseSeconds || seconds < before.seconds - movedBackSeconds;
  return hasMoved ? { seconds, atMs: nowMs, looks: 0 } : { ...before, looks: before.looks + 1 };
}

export function standsStill(progress: Progress | null, nowMs: number): boolean {
  return progress !== null && progress.looks >= looksToJudge && nowMs - progress.atMs >= stillAfterMs;
}
