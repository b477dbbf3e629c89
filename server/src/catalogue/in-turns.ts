/** Goes through very many items a few at a time: other work goes on in between. */
import { setImmediate } from 'node:timers/promises';

const itemsAtOnce = 500;

/** All items in their order, in parts between which there is a turn of the event loop. */
export async function* inTurns<T>(items: readonly T[]): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    if (from > 0) await setImmediate();
    yield items.slice(from, from + itemsAtOnce);
  }
}
