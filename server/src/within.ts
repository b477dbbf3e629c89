/**
 * Bounds of time for work that may hang. A bound gives up waiting; it does not stop the work.
 */

/** What `work` answers, or `late` once so many milliseconds have passed. Fails as `work` does, if it fails in time. */
export async function within<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<Late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  // What fails later than that is nobody's to hear of.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, lateness]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until all of `work` has settled, or for so many milliseconds: for a stop that nothing may hold up. */
export async function settledWithin(ms: number, work: readonly Promise<unknown>[]): Promise<void> {
  await within(ms, Promise.allSettled(work), null);
}
