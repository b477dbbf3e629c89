/** Goes through very many items a few at a time: other work goes on in between. */
import { setImmediate } from 'node:timers';

/** How long such work keeps others waiting. A busy machine does less in that time. */
const longestMs = 4;
/** Items between two looks at the time. */
const itemsAtOnce = 25;

/** Works that wait for their turn. */
const waiting: (() => void)[] = [];

/** One in each round of the event loop: several together keep others waiting no longer than one. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** Resolves in a round of the event loop in which no other work of this kind goes on. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });

/** Says when work has taken so long that others come first, and lets them. */
export function turns() {
  let sinceMs = performance.now();
  return {
    isDue: (): boolean => performance.now() - sinceMs > longestMs,
    async give(): Promise<void> {
      await nextTurn();
      sinceMs = performance.now();
    },
  };
}

/** All items in their order, in parts between which there are turns of the event loop. */
export async function* inTurns<T>(items: readonly T[]): AsyncGenerator<readonly T[], void> {
  const turn = turns();
  for (let from = 0; from < items.length; from += itemsAtOnce) {
    if (turn.isDue()) await turn.give();
    yield items.slice(from, from + itemsAtOnce);
  }
}

/** Items that are sorted in one piece. */
const sortedAtOnce = 500;

/** Equal ones keep their order. */
export async function sortedInTurns<T>(all: readonly T[], order: (a: T, b: T) => number): Promise<T[]> {
  const turn = turns();
  let runs: T[][] = [];
  for (let from = 0; from < all.length; from += sortedAtOnce) {
    if (turn.isDue()) await turn.give();
    runs.push(all.slice(from, from + sortedAtOnce).toSorted(order));
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], order, turn));
    runs = longer;
  }
  return runs[0] ?? [];
}

async function merged<T>(
  a: readonly T[],
  b: readonly T[],
  order: (a: T, b: T) => number,
  turn: ReturnType<typeof turns>,
): Promise<T[]> {
  if (turn.isDue()) await turn.give();
  if (a.length === 0 || b.length === 0 || order(a[a.length - 1] as T, b[0] as T) <= 0) return a.concat(b);
  const all: T[] = [];
  let [at, bt] = [0, 0];
  while (at < a.length && bt < b.length) {
    if (all.length % itemsAtOnce === 0 && turn.isDue()) await turn.give();
    const [one, other] = [a[at] as T, b[bt] as T];
    if (order(one, other) <= 0) {
      all.push(one);
      at += 1;
    } else {
      all.push(other);
      bt += 1;
    }
  }
  return all.concat(a.slice(at), b.slice(bt));
}
