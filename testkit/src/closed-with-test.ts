/** The end of what a test opens. */

/** Journeys and benches run elsewhere; its parts and theirs don't load side by side. */
const runner = process.env['VITEST'] === undefined ? null : await import('vitest');

/**
 * `close`, run once: by a call, or else when the test that opened it has finished. A test that fails does not come to a
 * call at its end, and what it leaves open disturbs those behind it. A suite closes what it opens for all its tests.
 */
export function closedWithTest(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | null = null;
  const closeOnce = () => (closing ??= close());
  if (runner?.TestRunner.getCurrentTest() !== undefined) runner.onTestFinished(closeOnce);
  return closeOnce;
}
