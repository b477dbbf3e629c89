/** The timer port: in a browser it is `setTimeout`, in the simulation a virtual clock. */

/** Runs `task` once after `delayMs`; returns the function that cancels it. */
export type Schedule = (task: () => void, delayMs: number) => () => void;
