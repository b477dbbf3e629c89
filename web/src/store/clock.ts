/** Time of this device, as a value that tests replace. */

/** `now` in milliseconds; `schedule` returns a function that cancels the timer. */
export interface Clock {
  now(): number;
  schedule(task: () => void, delayMs: number): () => void;
}

export const deviceClock: Clock = {
  now: () => Date.now(),
  schedule(task, delayMs) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
