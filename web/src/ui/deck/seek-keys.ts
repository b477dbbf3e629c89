/* Where a key moves the needle. Knows nothing of players. */

const ARROW_SECONDS = 5;
const PAGE_SECONDS = 30;

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowRight', ARROW_SECONDS],
  ['ArrowUp', ARROW_SECONDS],
  ['ArrowLeft', -ARROW_SECONDS],
  ['ArrowDown', -ARROW_SECONDS],
  ['PageUp', PAGE_SECONDS],
  ['PageDown', -PAGE_SECONDS],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** The position a key leads to, kept within the track; null for keys that do not seek. Seconds. */
export function seekTarget(key: string, fromSeconds: number, durationSeconds: number): number | null {
  const step = STEPS.get(key);
  return step === undefined ? null : Math.min(durationSeconds, Math.max(0, fromSeconds + step));
}
