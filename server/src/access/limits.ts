/**
 * How often anything may be done: token buckets, kept in this process, or in Redis when processes share them. A bucket
 * holds `burst` tokens and gets one back every `everyMs`; a window gets each back that long after. What a key is (a
 * person, an address, a room) is the caller's business; RATE_LIMIT_SCALE multiplies every number, 0 lifts them all.
 */
import { limits, type Result } from '@tunemate/protocol';
import { type Bucket, day, per } from './bound.ts';
import { bounds, type BucketName } from './bounds.ts';
import { paces } from './paces.ts';
import { countedKeys } from '../system/networks.ts';
import { accept, type Clock, type Log, refuse } from '../system/ports.ts';

/** One bucket's state under a name of its own, and its numbers after scaling. */
export interface Cell extends Bucket {
  key: string;
}

/** Takes a token of each cell, takes none, or puts one back. */
export type Draw = 'take' | 'peek' | 'return';

/** Where buckets are kept. Answers how long to wait: 0 when every cell had a token. */
export interface RateLimitStore {
  draw(cells: readonly Cell[], nowMs: number, how: Draw): Promise<number>;
}

/** Taken so much later than now, it was taken before the clock was set back, and would lock a user out until then. */
export const mostSkewMs = 60_000;

const forgetAboveCells = 20_000;

/** Buckets of this process. A bucket is one number, when it will be full again, or the times of what a window holds. */
export function memoryRateLimitStore(): RateLimitStore {
  const fullAtMs = new Map<string, number>();
  const takenAtMs = new Map<string, readonly number[]>();
  let forgetAt = forgetAboveCells;

  function forgetFull(nowMs: number): void {
    if (fullAtMs.size < forgetAt) return;
    for (const [key, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(key);
    for (const key of takenAtMs.keys()) if (!fullAtMs.has(key)) takenAtMs.delete(key);
    forgetAt = Math.max(forgetAboveCells, fullAtMs.size * 2);
  }

  function giveBack({ key, everyMs, isWindow }: Cell): void {
    if (isWindow) takenAtMs.set(key, takenAtMs.get(key)?.slice(0, -1) ?? []);
    else fullAtMs.set(key, Math.max(0, (fullAtMs.get(key) ?? 0) - everyMs));
  }

  /** When the cell is full again with one token taken now, and how long to wait for that token. */
  function drawn({ key, everyMs, burst, isWindow }: Cell, nowMs: number) {
    if (!isWindow) {
      const emptyMs = nowMs + burst * everyMs;
      const knownMs = fullAtMs.get(key) ?? 0;
      const atMs = Math.max(knownMs > emptyMs + mostSkewMs ? 0 : knownMs, nowMs) + everyMs;
      return { key, atMs, waitMs: atMs - nowMs - burst * everyMs, taken: null };
    }
    const known = takenAtMs.get(key) ?? [];
    const taken = known.filter((atMs) => atMs > nowMs - everyMs && atMs <= nowMs + mostSkewMs);
    const before = taken.at(-Math.floor(burst)) ?? -Infinity;
    return { key, atMs: nowMs + everyMs, waitMs: before + everyMs - nowMs, taken: [...taken, nowMs] };
  }

  return {
    draw(cells, nowMs, how) {
      if (how === 'return') {
        cells.forEach(giveBack);
        return Promise.resolve(0);
      }
      const all = cells.map((cell) => drawn(cell, nowMs));
      const waitMs = Math.max(0, ...all.map((each) => each.waitMs));
      if (waitMs === 0 && how === 'take') {
        forgetFull(nowMs);
        for (const { key, atMs, taken } of all) {
          fullAtMs.set(key, atMs);
          if (taken !== null) takenAtMs.set(key, taken);
        }
      }
      return Promise.resolve(waitMs);
    },
  };
}

export interface Limits {
  /** Takes `count` tokens (at most a whole burst), or refuses with limit/too-many and `retryAfterMs`. */
  take(name: BucketName, key: string, count?: number): Promise<Result<unknown>>;
  /** As `take`, leaving the token: for limits that count only what went wrong. */
  peek(name: BucketName, key: string): Promise<Result<unknown>>;
  /** Puts back `count` tokens that were taken. */
  giveBack(name: BucketName, key: string, count?: number): Promise<void>;
}

interface LimitsDeps {
  clock: Pick<Clock, 'now'>;
  /** RATE_LIMIT_SCALE. */
  scale: number;
  /** Those that the operator sets. */
  sizes?: Partial<Record<BucketName, readonly Bucket[]>>;
  store?: RateLimitStore;
  /** Told of each refusal, with the bound and the key that it counts. */
  refused?: (name: BucketName, key: string) => void;
}

/** Those that the operator sets. A room fills as quickly, whatever number of people it may hold. */
export function sizesFor({ storedMbPerDay, peoplePerRoom }: { storedMbPerDay: number; peoplePerRoom: number }) {
  const times = Math.max(1, peoplePerRoom / limits.participantsPerRoom);
  return {
    storedKilobytes: [per(storedMbPerDay * 1024, day)],
    roomRequests: [{ burst: 20 * times, everyMs: 1000 / times }],
  };
}

export function createLimits({
  clock,
  scale,
  sizes = {},
  store = memoryRateLimitStore(),
  refused,
}: LimitsDeps): Limits {
  async function draw(name: BucketName, key: string, how: Draw, count = 1): Promise<Result<unknown>> {
    if (scale === 0) return accept({});
    const cells = countedKeys(key).flatMap(([counted, shares]) =>
      (sizes[name] ?? (bounds[name].buckets as readonly Bucket[])).map((bucket, index) => {
        const times = scale * shares;
        const burst = Math.max(1, bucket.burst * times);
        const taken = bucket.isWindow ? 1 : Math.min(count, burst);
        // Taking n tokens is taking one token of a bucket with burst / n and n times the refill time.
        return {
          key: `limit:${name}:${bucket.isWindow ? 'window' : ''}${String(index)}:${counted}`,
          burst: burst / taken,
          everyMs: bucket.isWindow ? bucket.everyMs : (bucket.everyMs / times) * taken,
          ...(bucket.isWindow && { isWindow: bucket.isWindow }),
        };
      }),
    );
    const waitMs = await store.draw(cells, clock.now(), how);
    if (waitMs === 0) return accept({});
    refused?.(name, key);
    return refuse('limit/too-many', { retryAfterMs: Math.ceil(waitMs) });
  }
  return {
    take: (name, key, count) => draw(name, key, 'take', count),
    peek: (name, key) => draw(name, key, 'peek'),
    async giveBack(name, key, count) {
      await draw(name, key, 'return', count);
    },
  };
}

/** Lines of one hour; beyond them an attack from many keys would fill the disk instead. */
const mostLines = 1000;

/** Logs which bound refused whom: one line for each bound, network or person, and hour. Mailboxes are not named. */
export function refusalLog({ clock, log }: { clock: Pick<Clock, 'now'>; log: Log }) {
  let inHour = 0;
  const noted = new Set<string>();
  return (bound: BucketName, key: string): void => {
    const hour = Math.floor(clock.now() / (60 * 60 * 1000));
    if (hour !== inHour) noted.clear();
    inHour = hour;
    const { key: of } = bounds[bound];
    // A network may stand before what is counted of it, a person before the room or the other person.
    const [who = ''] = of === 'network' ? key.split('|') : key.split(/[:>]/);
    const isNamed = of === 'network' || of === 'person' || of === 'pair' || bound === 'unanswered';
    const line = `${bound} ${isNamed ? who : ''}`;
    if (noted.has(line) || noted.size >= mostLines) return;
    noted.add(line);
    log.info({ bound, of, ...(isNamed && { who }) }, 'limit.reached');
  };
}

/** A token bucket in memory: `burst` at once, then `perSecond`, by the process's own clock. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs = performance.now();

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** False, taking nothing, when there are fewer than `count` tokens. A negative count returns tokens. */
  take(count = 1): boolean {
    const nowMs = performance.now();
    const refilled = ((nowMs - this.#atMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + refilled);
    this.#atMs = nowMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}

/**
 * A client that goes on at more than twice its pace is disconnected, with the reason. On its way that takes fewer
 * requests than the limit of frames (`realtime/frame-limit.ts`), which gives none.
 */
const { perSecond, burst } = paces.socketRequests;
const refusalsToClose = 200;

export class ConnectionRateLimit {
  readonly #isLifted: boolean;
  readonly #passed: TokenBucket;
  readonly #refused: TokenBucket;

  constructor(scale: number) {
    this.#isLifted = scale === 0;
    this.#passed = new TokenBucket(perSecond * scale, burst * scale);
    this.#refused = new TokenBucket(perSecond, refusalsToClose);
  }

  take(): 'pass' | 'refuse' | 'close' {
    if (this.#isLifted || this.#passed.take()) return 'pass';
    return this.#refused.take() ? 'refuse' : 'close';
  }
}

const maxDepth = 8;
const maxValues = 20_000;
const maxKeys = 64;
const poison = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Whether parsed JSON has a shape that our messages can have: few levels, few keys, no prototype names, no NUL (which
 * PostgreSQL can't store). Walks without recursion, so that no nesting can exhaust the stack.
 */
export function isWithinJsonLimits(value: unknown): boolean {
  let seen = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    seen += 1;
    if (seen > maxValues) return false;
    if (typeof next.value === 'string' && next.value.includes('\0')) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= maxDepth) return false;
    if (!Array.isArray(next.value)) {
      const keys = Object.keys(next.value);
      if (keys.length > maxKeys || keys.some((key) => poison.has(key))) return false;
    }
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
  }
  return true;
}
