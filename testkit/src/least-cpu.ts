/** What some work costs the thread that does it, and whether others are served meanwhile: for tests that compare. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The least of `tries` processor times in ms. A busy machine lengthens what a clock shows, a collection of garbage one
 * try: neither of them is in the least one. The other threads of this process are not counted.
 */
export async function leastCpuMs(work: () => unknown, tries = 3): Promise<number> {
  let least = Infinity;
  for (let n = 0; n < tries; n += 1) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** How many turns the event loop takes while this work is done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  await work();
  isOver = true;
  await others;
  return turns;
}
