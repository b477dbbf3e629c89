/**
 * The ticks by which two devices are set to be heard as one: each device ticks at the same moments of the server's
 * time, moved by its own offset. Pure: which ticks come next, and when the sound system has to play them.
 */

/** Slow enough to tell which of two devices is first. */
export const tickEveryMs = 500;
/** After so many the round begins again; the page shows the place of each. */
export const ticksInRound = 8;

export interface Tick {
  /** Server time, in milliseconds. */
  readonly atMs: number;
  /** From 0 to 7. */
  readonly place: number;
}

/** The ticks after `afterMs`, up to and including `untilMs`, both in server time. */
export function ticksBetween(afterMs: number, untilMs: number): Tick[] {
  const ticks: Tick[] = [];
  const first = (Math.floor(afterMs / tickEveryMs) + 1) * tickEveryMs;
  for (let atMs = first; atMs <= untilMs; atMs += tickEveryMs) {
    ticks.push({ atMs, place: (atMs / tickEveryMs) % ticksInRound });
  }
  return ticks;
}

/** What is heard at one moment: `contextTime` of the sound system in seconds, `performanceTime` of the page in ms. */
export type OutputTimestamp = Required<AudioTimestamp>;

/** The time of the sound system, in seconds, whose sound is heard at this local time. */
export function contextTimeHeardAt(localMs: number, heard: OutputTimestamp): number {
  return heard.contextTime + (localMs - heard.performanceTime) / 1000;
}
