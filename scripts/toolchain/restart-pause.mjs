/** When to start a program again that has ended. Pure: decides by how it ended and how long it had run. */

/** The server's own words for its end; anything else, a signal included, is a crash. */
export const exitCodes = { asked: 0, startFailed: 1 };

const firstPauseMs = 250;
const longestPauseMs = 30_000;
const ranWellMs = 60_000;

/**
 * @typedef {{ code: number | null, ranMs: number, crashesBefore: number }} End
 *   `crashesBefore`: how many times in a row it has ended too soon before this.
 * @typedef {{ again: false } | { again: true, pauseMs: number, crashes: number }} Decision
 */

/** @param {End} end @returns {Decision} */
export function decideRestart({ code, ranMs, crashesBefore }) {
  if (code === exitCodes.asked) return { again: false };
  // A first start that fails has wrong settings. After a crash the settings were right, and a service may only be away.
  if (code === exitCodes.startFailed && crashesBefore === 0) return { again: false };
  const crashes = ranMs >= ranWellMs ? 1 : crashesBefore + 1;
  return { again: true, pauseMs: Math.min(longestPauseMs, firstPauseMs * 2 ** (crashes - 1)), crashes };
}
