/**
 * Timeouts for work that may hang. A timeout ends the waiting; it does not stop the work.
 */

/**
 * Resolves as `work` does, or with `late` after so many milliseconds. Rejects as `work` does, if it rejects in time. After
 * the process was held up, timers come before what arrived meanwhile: an answer among that is in time.
 */
export async function within<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<Late>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, late), ms);
  });
  // A rejection after the timeout is ignored.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, lateness]);
  } finally {
    clearTimeout(timer);
  }
}

/** As `work`, but rejects after so many milliseconds. */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Symbol('late');
  const answer = await within(ms, work, late);
  if (answer === late) throw new Error('no answer');
  return answer;
}

/** Waits until all of `work` has settled, or for so many milliseconds: so that nothing can hold up a stop. */
export async function settledWithin(ms: number, work: readonly Promise<unknown>[]): Promise<void> {
  await within(ms, Promise.allSettled(work), null);
}
