/** The new position after a key press on the seek bar. */

const arrowSeconds = 5;
const pageSeconds = 30;

const steps: ReadonlyMap<string, number> = new Map([
  ['ArrowRight', arrowSeconds],
  ['ArrowUp', arrowSeconds],
  ['ArrowLeft', -arrowSeconds],
  ['ArrowDown', -arrowSeconds],
  ['PageUp', pageSeconds],
  ['PageDown', -pageSeconds],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The position in seconds after a key press, kept within the track; null for keys that do not seek. */
export function seekTarget(key: string, fromSeconds: number, durationSeconds: number): number | null {
  const step = steps.get(key);
  return step === undefined ? null : Math.min(durationSeconds, Math.max(0, fromSeconds + step));
}
