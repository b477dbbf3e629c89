/** How loud the parts of a track are, as bars of a drawing. */

const loudest = 35;
/** As many bars as the seek bar of a phone has space for: the loudest of each three parts. */
const partsInBar = 3;

/** From 0 to 1, of the digits that the server sends. */
export const partsOf = (peaks: string): number[] =>
  Array.from(peaks, (digit) => (Number.parseInt(digit, 36) || 0) / loudest);

/** Half of a mirrored bar is its value; the drawing is 2 high, and 1 wide for each bar. */
export function barsOf(peaks: string): { path: string; count: number } {
  const parts = partsOf(peaks);
  const count = Math.floor(parts.length / partsInBar);
  const bars = Array.from({ length: count }, (_, bar) =>
    Math.max(0.06, ...parts.slice(bar * partsInBar, (bar + 1) * partsInBar)),
  );
  const path = bars.map((half, at) => `M${at + 0.5} ${(1 - half).toFixed(2)}v${(2 * half).toFixed(2)}`).join('');
  return { path, count };
}

/** Heights in percent: of each part of the track, and of so many bars of silence before and after it. */
export function levelsOf(peaks: string, silent: number): number[] {
  const silence = Array.from({ length: silent }, () => 0);
  return [...silence, ...partsOf(peaks), ...silence].map((part) => Math.round(8 + 92 * part));
}
