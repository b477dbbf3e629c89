/**
 * Ticks for aligning two devices by ear: each device ticks at the same server times, shifted by its own offset. Ticks
 * are scheduled ahead on the audio clock, so that a busy page does not delay them.
 */
import type { Schedule } from '@tunemate/playback';

export interface TickSounds {
  /** Null until it runs. */
  heardNow(): OutputTimestamp | null;
  /** Plays one tick at this time of the audio clock, in seconds. */
  playAt(contextTime: number): void;
  close(): void;
}

interface TickPorts {
  readonly sounds: TickSounds;
  /** Local monotonic milliseconds, those of `performance.now()`. */
  readonly nowMs: () => number;
  /** Server time; NaN while it is unknown. */
  readonly serverNow: () => number;
  /** How much later this device is heard than others, in milliseconds; read before each tick. */
  readonly offsetMs: () => number;
  readonly schedule: Schedule;
  /** Called when a tick is heard, with its place in the round. */
  readonly onTick: (place: number) => void;
}

const lookEveryMs = 100;
/** Longer than the delay of a wireless speaker, shorter than the time between two ticks. */
const aheadMs = 450;

/** Ticks until the returned function is called. */
export function startTicks({ sounds, nowMs, serverNow, offsetMs, schedule, onTick }: TickPorts): () => void {
  const cancels = new Set<() => void>();
  let doneUntilMs = Number.NEGATIVE_INFINITY;

  function later(task: () => void, delayMs: number): void {
    const cancel = schedule(() => {
      cancels.delete(cancel);
      task();
    }, delayMs);
    cancels.add(cancel);
  }

  function look(): void {
    later(look, lookEveryMs);
    const heard = sounds.heardNow();
    // The server time of what this device has to start now to be heard with the others.
    const dueMs = serverNow() + offsetMs();
    if (heard === null || Number.isNaN(dueMs)) return;
    for (const { atMs, place } of ticksBetween(Math.max(dueMs, doneUntilMs), dueMs + aheadMs)) {
      doneUntilMs = atMs;
      const inMs = atMs - dueMs;
      sounds.playAt(contextTimeHeardAt(nowMs() + inMs, heard));
      later(() => onTick(place), inMs);
    }
  }

  look();
  return () => {
    for (const cancel of cancels) cancel();
    cancels.clear();
    sounds.close();
  };
}

const tickS = 0.03;

/** Must be called inside a tap handler, or the browser keeps it silent. */
export function deviceTickSounds(): TickSounds {
  const context = new AudioContext({ latencyHint: 'playback' });
  return {
    heardNow() {
      const { contextTime, performanceTime } = context.getOutputTimestamp();
      // Both are zero before the first sound.
      if (contextTime === undefined || performanceTime === undefined || contextTime === 0) return null;
      return { contextTime, performanceTime };
    },
    playAt(contextTime) {
      // Too late to be heard in time; the next one will be.
      if (contextTime < context.currentTime) return;
      const [tone, level] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = 1500;
      level.gain.setValueAtTime(0.5, contextTime);
      level.gain.exponentialRampToValueAtTime(0.0001, contextTime + tickS);
      tone.connect(level).connect(context.destination);
      tone.start(contextTime);
      tone.stop(contextTime + tickS);
    },
    close: () => void context.close(),
  };
}

/** Slow enough to hear which of two devices is first. */
export const tickEveryMs = 500;
/** The page shows the place of each tick in its round. */
export const ticksInRound = 8;

interface Tick {
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

/** What is heard at one time: `contextTime` of the audio clock in seconds, `performanceTime` of the page in ms. */
type OutputTimestamp = Required<AudioTimestamp>;

/** The time of the audio clock, in seconds, whose sound is heard at this local time. */
export function contextTimeHeardAt(localMs: number, heard: OutputTimestamp): number {
  return heard.contextTime + (localMs - heard.performanceTime) / 1000;
}
