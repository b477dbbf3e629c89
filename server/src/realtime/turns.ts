/**
 * In which order requests are served. Networks take turns: of each one request begins in a turn of the event loop,
 * however many people of it ask, so that what others ask meanwhile comes first; what none of them asks for, one network
 * may use. Within a network people take turns, and the requests of one person, from all their tabs, are served one after
 * another. Beside that a person has a share of the process's time, measured: once it is used up, their next request waits
 * until the share has grown again. So has a network, while others ask; it also waits for what its answers weigh. It knows
 * no request.
 */
import type { Uid } from '@tunemate/protocol';
import { paces } from '../access/paces.ts';
import { customerOf } from '../system/networks.ts';
import { createPace, type PaceBounds } from '../system/pace.ts';

/** With the burst less than half of a core over ten seconds. */
const shareOfSecond = paces.personMs.perSecond / 1000;
const burstMs = paces.personMs.burst;

/**
 * What is made in parts goes on by a part in each turn of the event loop: of twenty people who search at once these would
 * be twenty between two of others, and all connections to the database. While others ask, so many are under way.
 */
const mostOfNetwork = 4;
/** Others ask no more after this time. */
const othersWithinMs = 1000;

/** A request takes as much as a short answer weighs. */
const leastBytes = 1024;

/** Who asks, and from which network, as limits count it. */
export interface Asker {
  readonly uid: Uid;
  readonly network: string;
}

/** What a request does in its turn. `weighs` is told the bytes of its answer. */
type Work<T> = (weighs: (bytes: number) => void) => Promise<T>;

/**
 * Requests that may wait for a service outside, and those over HTTP, have lanes of their own, in which several of a person
 * are under way.
 */
export type Lane = 'ordered' | 'outside' | 'previews' | 'http';
const atOnce: Record<Lane, number> = { ordered: 1, outside: 4, previews: 2, http: 4 };

interface Queue {
  readonly waiting: (() => Promise<void>)[];
  readonly running: Set<Promise<void>>;
  isServed: boolean;
}

interface PersonInTurn {
  readonly lanes: Record<Lane, Queue>;
  /** When the whole share is there again (process time, ms). */
  wholeAtMs: number;
}

interface Served {
  readonly customer: string;
  readonly ended: () => void;
}

export type Turns = ReturnType<typeof createTurns>;

const scaled = ({ burst, perSecond }: PaceBounds, times: number): PaceBounds => ({
  burst: burst * times,
  perSecond: perSecond * times,
});
const newQueue = (): Queue => ({ waiting: [], running: new Set(), isServed: false });

/** `scale` is RATE_LIMIT_SCALE: it multiplies the share; 0 lifts the order as well. */
export function createTurns(scale: number) {
  const people = new Map<Uid, PersonInTurn>();
  const measure = createMeasure();
  const times = Math.max(1, scale);
  const places = placesOfNetworks();
  const bytes = createPace(scaled(paces.answerBytes, times));
  const ms = createPace(scaled(paces.networkMs, scale));

  function personOf(uid: Uid): PersonInTurn {
    const known = people.get(uid);
    if (known) return known;
    const person = {
      lanes: { ordered: newQueue(), outside: newQueue(), previews: newQueue(), http: newQueue() },
      wholeAtMs: 0,
    };
    people.set(uid, person);
    return person;
  }

  /** A person whose share is whole is as good as one never seen. */
  function forgetRested(): void {
    const nowMs = performance.now();
    for (const [uid, { lanes, wholeAtMs }] of people) {
      const isIdle = Object.values(lanes).every(({ running, isServed }) => running.size === 0 && !isServed);
      if (isIdle && wholeAtMs <= nowMs) people.delete(uid);
    }
  }

  function begin(person: PersonInTurn, { waiting, running }: Queue, { customer, ended }: Served): void {
    const work = waiting.shift();
    if (!work) return ended();
    const done = measure(work, (usedMs) => {
      person.wholeAtMs = Math.max(person.wholeAtMs, performance.now()) + usedMs / (shareOfSecond * scale);
      ms.charge(customer, usedMs);
    }).finally(() => {
      running.delete(done);
      ended();
    });
    running.add(done);
  }

  async function serve(person: PersonInTurn, name: Lane, customer: string): Promise<void> {
    const lane = person.lanes[name];
    if (lane.isServed) return;
    lane.isServed = true;
    while (lane.waiting.length > 0) {
      await untilShareGrows(person);
      // What others sent meanwhile is read and begun first, also where the same tab has more to ask.
      await bytes.take(customer, leastBytes);
      if (!places.isAlone(customer)) await ms.take(customer, 0);
      if (name === 'ordered') await places.take(customer);
      begin(person, lane, { customer, ended: name === 'ordered' ? () => places.giveBack(customer) : () => undefined });
      if (lane.running.size >= atOnce[name]) await Promise.race(lane.running);
    }
    lane.isServed = false;
  }

  /** Runs the work when it is this person's turn; it settles as the work does. */
  return async function inTurn<T>({ uid, network }: Asker, lane: Lane, work: Work<T>): Promise<T> {
    if (scale === 0) return await work(() => undefined);
    if (people.size >= mostKnown) forgetRested();
    const person = personOf(uid);
    const customer = customerOf(network);
    places.asks(customer);
    const weighs = (answer: number): void => bytes.charge(customer, answer);
    return await new Promise<T>((resolve, reject) => {
      person.lanes[lane].waiting.push(
        async () => await new Promise<T>((settle) => settle(work(weighs))).then(resolve, reject),
      );
      void serve(person, lane, customer);
    });
  };
}

async function untilShareGrows(person: PersonInTurn): Promise<void> {
  for (;;) {
    const waitMs = person.wholeAtMs - performance.now() - burstMs / shareOfSecond;
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, Math.ceil(waitMs)).unref());
  }
}

const mostKnown = 10_000;

/** How many requests of each network are under way. What others do not ask for, one network may use. */
function placesOfNetworks() {
  const open = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  /** The two that asked last. */
  let last: Asked = { customer: '', atMs: -Infinity };
  let before = last;
  const isAlone = (customer: string): boolean =>
    performance.now() - (last.customer === customer ? before : last).atMs > othersWithinMs;

  return {
    isAlone,
    asks(customer: string): void {
      if (last.customer !== customer) [before, last] = [last, { customer, atMs: 0 }];
      last.atMs = performance.now();
    },
    async take(customer: string): Promise<void> {
      const own = open.get(customer) ?? { taken: 0, waiting: [] };
      open.set(customer, own);
      if (own.taken < mostOfNetwork || isAlone(customer)) own.taken += 1;
      else await new Promise<void>((resolve) => own.waiting.push(resolve));
    },
    giveBack(customer: string): void {
      const own = open.get(customer);
      if (own === undefined) return;
      own.taken -= 1;
      while (own.waiting.length > 0 && (own.taken < mostOfNetwork || isAlone(customer))) {
        own.taken += 1;
        own.waiting.shift()?.();
      }
      if (own.taken === 0) open.delete(customer);
    },
  };
}

interface Asked {
  readonly customer: string;
  atMs: number;
}

/**
 * Runs work and reports its milliseconds. Until the event loop turns, they are its own alone. After that it shares the
 * loop with the others under way, so it is charged its part of the thread's work meanwhile, never its waiting.
 */
function createMeasure() {
  let underWay = 0;
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };

  return async (work: () => Promise<void>, report: (ms: number) => void): Promise<void> => {
    const sinceMs = performance.now();
    let turned: { atMs: number; cpuMs: number } | null = null;
    const watch = setImmediate(() => (turned = { atMs: performance.now(), cpuMs: cpuMs() }));
    underWay += 1;
    try {
      await work();
    } finally {
      clearImmediate(watch);
      const nowMs = performance.now();
      // Set by the watch, which the compiler does not see.
      const after = turned as { atMs: number; cpuMs: number } | null;
      const shared = after === null ? 0 : Math.min(nowMs - after.atMs, cpuMs() - after.cpuMs) / underWay;
      underWay -= 1;
      report((after?.atMs ?? nowMs) - sinceMs + shared);
    }
  };
}
