/** A pace for each customer of the server, so that one of them does not keep the others waiting. */

export interface PaceBounds {
  /** What may be spent at once, in whatever is counted. */
  burst: number;
  perSecond: number;
}

interface Pace {
  /** Undefined when it may begin at once. */
  take(customer: string, cost: number): Promise<void> | undefined;
  /** Charges what turned out to be more than was taken: what this customer asks for next waits for it. */
  charge(customer: string, cost: number): void;
  /** How many wait. */
  waitingOf(customer: string): number;
}

interface Waiter {
  cost: number;
  start(): void;
}

/** Customers remembered; beyond that the rested are forgotten. */
const mostPaced = 10_000;

/**
 * Spreads over time what one customer causes: one thing of each begins in a turn of the event loop, so that what others
 * sent meanwhile comes first; and beyond a burst only so much in a second, so that a loop of requests, or of downloads,
 * has a share of the process and of its network and no more. Nothing is refused: what comes too fast waits.
 */
export function createPace({ burst, perSecond }: PaceBounds, now = () => performance.now()): Pace {
  /** Of each customer for whom something began in this turn, or who waits: what waits. */
  const inTurn = new Map<string, Waiter[]>();
  /** When the burst is whole again. */
  const wholeAtMs = new Map<string, number>();
  const msOf = (cost: number): number => (cost * 1000) / perSecond;
  const burstMs = msOf(burst);
  let isTurnComing = false;
  let timer: NodeJS.Timeout | undefined;

  const waitMsOf = (customer: string): number => (wholeAtMs.get(customer) ?? 0) - now() - burstMs;

  function spend(customer: string, cost: number): void {
    const nowMs = now();
    wholeAtMs.set(customer, Math.max(wholeAtMs.get(customer) ?? 0, nowMs) + msOf(cost));
    if (wholeAtMs.size <= mostPaced) return;
    for (const [known, atMs] of wholeAtMs) if (atMs <= nowMs) wholeAtMs.delete(known);
  }

  function comeAgain(): void {
    if (isTurnComing) return;
    isTurnComing = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isTurnComing = false;
    clearTimeout(timer);
    let leastMs = Number.POSITIVE_INFINITY;
    let hasBegun = false;
    for (const [customer, queue] of inTurn) {
      const [waiter] = queue;
      if (waiter === undefined) {
        inTurn.delete(customer);
        continue;
      }
      const waitMs = waitMsOf(customer);
      leastMs = Math.min(leastMs, waitMs);
      if (waitMs > 0) continue;
      queue.shift();
      spend(customer, waiter.cost);
      hasBegun = true;
      waiter.start();
    }
    if (hasBegun) comeAgain();
    else if (inTurn.size > 0) timer = setTimeout(nextTurn, Math.ceil(leastMs));
  }

  return {
    charge: spend,
    waitingOf: (customer) => inTurn.get(customer)?.length ?? 0,
    take(customer, cost) {
      const queue = inTurn.get(customer);
      if (queue === undefined && waitMsOf(customer) <= 0) {
        inTurn.set(customer, []);
        spend(customer, cost);
        comeAgain();
        return undefined;
      }
      return new Promise((start) => {
        if (queue === undefined) inTurn.set(customer, [{ cost, start }]);
        else queue.push({ cost, start });
        comeAgain();
      });
    },
  };
}
