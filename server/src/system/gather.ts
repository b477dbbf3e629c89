/**
 * Batches calls that arrive while a batch runs. Each call gets its own answer; when a batch fails, all of its calls
 * fail with its error.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';

interface GatherOptions {
  mostAtOnce?: number;
  /**
   * Whether a batch of several waits for more until none comes for a millisecond, at most 5 ms: for items of different
   * people who come at once. Items that follow each other would only wait.
   */
  waitsForCrowd?: boolean;
  /** For how many milliseconds a batch waits in any case, asked before each. */
  waitMs?: () => number;
}

const crowdWaits = 5;

export function gather<Item, Answer>(
  doAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { mostAtOnce = 200, waitsForCrowd = false, waitMs = () => 0 }: GatherOptions = {},
): (item: Item) => Promise<Answer> {
  const waiting: { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      // SQLite answers without a turn of the event loop: only here is it seen what else has arrived.
      await setImmediate();
      const ms = waitMs();
      if (ms > 0 && waiting.length < mostAtOnce) await setTimeout(ms);
      for (let waits = 0, seen = 1; waitsForCrowd && waits < crowdWaits && waiting.length > seen; waits += 1) {
        seen = waiting.length;
        if (seen >= mostAtOnce) break;
        await setTimeout(1);
      }
      const batch = waiting.splice(0, mostAtOnce);
      try {
        const answers = await doAll(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}

/** As `gather`, for each key apart: what has another key is done meanwhile. */
export function gatherByKey<Item, Answer>(
  doAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
  options: GatherOptions = {},
): (key: string, item: Item) => Promise<Answer> {
  const queues = new Map<string, { ask: (item: Item) => Promise<Answer>; open: number }>();
  return async (key, item) => {
    const queue = queues.get(key) ?? { ask: gather(doAll, options), open: 0 };
    queues.set(key, queue);
    queue.open += 1;
    try {
      return await queue.ask(item);
    } finally {
      queue.open -= 1;
      if (queue.open === 0) queues.delete(key);
    }
  };
}
