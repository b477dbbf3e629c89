/**
 * Who is next where work is expensive: hashing passwords, decoding pictures. Networks take turns, and every second turn
 * is of people who have shown that they were here before, so that no flood of strangers keeps other people waiting.
 */
import { customerOf } from './networks.ts';
import { Failure } from './ports.ts';

/** On whose behalf the work is done. */
export interface Asker {
  /** As limits count it; empty when it does not matter. */
  network: string;
  /** Signed in, holding the code of a mailed link, or on a device that signed in to the account before. */
  isKnown: boolean;
}

interface Waiter {
  start(): void;
  refuse(): void;
}

interface TurnsOptions {
  atOnce: number;
  /** How many strangers, and how many others, may wait. */
  queueLength: number;
  /** The event that the log names when too many wait. */
  whenFull: string;
}

/** The waiters of one kind, by network. In a full lane a new one takes the last place of the network with the most. */
class Lane {
  readonly #queues = new Map<string, Waiter[]>();
  readonly #length: number;
  #count = 0;

  constructor(length: number) {
    this.#length = length;
  }

  /** False when it is full of waiters from networks that have no more of them than this one. */
  add(network: string, waiter: Waiter): boolean {
    const own = this.#queues.get(network) ?? [];
    if (this.#count >= this.#length) {
      const longest = [...this.#queues.values()].reduce((most, each) => (each.length > most.length ? each : most), own);
      if (longest.length <= own.length + 1) return false;
      longest.pop()?.refuse();
      this.#count -= 1;
    }
    own.push(waiter);
    this.#queues.set(network, own);
    this.#count += 1;
    return true;
  }

  next(): Waiter | undefined {
    for (const [network, queue] of this.#queues) {
      const waiter = queue.shift();
      // To the end: the other networks come before its next.
      this.#queues.delete(network);
      if (queue.length > 0) this.#queues.set(network, queue);
      if (waiter) {
        this.#count -= 1;
        return waiter;
      }
    }
    return undefined;
  }
}

/** Runs `work` when its turn comes; throws a Failure server/busy when too many wait. */
export type InTurn = <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;

export function createNetworkTurns({ atOnce, queueLength, whenFull }: TurnsOptions): InTurn {
  const [strangers, known] = [new Lane(queueLength), new Lane(queueLength)];
  let running = 0;
  let wasKnown = false;

  function startNext(): void {
    const lanes = wasKnown ? [strangers, known] : [known, strangers];
    for (const lane of lanes) {
      const waiter = lane.next();
      if (!waiter) continue;
      wasKnown = lane === known;
      waiter.start();
      return;
    }
    running -= 1;
  }

  return async (asker, work) => {
    if (running >= atOnce) {
      await new Promise<void>((start, reject) => {
        const refuse = () => reject(new Failure('server/busy', whenFull));
        if (!(asker.isKnown ? known : strangers).add(customerOf(asker.network), { start, refuse })) refuse();
      });
    } else running += 1;
    try {
      return await work();
    } finally {
      startNext();
    }
  };
}
