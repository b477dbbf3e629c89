/** Exceptions of one part that must not stop another. */

/** Reports an exception as if nothing had caught it: to the console and to listeners of `error`. */
export function report(exception: unknown): void {
  if (typeof globalThis.reportError === 'function') globalThis.reportError(exception);
  // Node, in which the models run without a page.
  else queueMicrotask(() => void rethrow(exception));
}

function rethrow(exception: unknown): never {
  throw exception;
}

/** Calls it; an exception is reported and ends nothing else. */
export function guarded(act: () => void): void {
  try {
    act();
  } catch (exception) {
    report(exception);
  }
}
