/** Keeps an exception of one part from stopping another. */

/** Calls it; an exception is reported as if nothing had caught it, and ends nothing else. */
export function guarded(act: () => void): void {
  try {
    act();
  } catch (exception) {
    reportError(exception);
  }
}
