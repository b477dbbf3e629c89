/** What some work costs the thread that does it, for tests that compare two costs. */

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
