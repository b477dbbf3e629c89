/**
 * How often anything may be done: token buckets, kept in this process, or in Redis when processes share them. A bucket
 * holds `burst` tokens and gets one back every `everyMs`; a window gets each back that long after. What a key is (a
 * person, an address, a room) is the caller's business; RATE_LIMIT_SCALE multiplies every number, 0 lifts them all.
 */
import { type LimitName, limits, type Result } from '@tunemate/protocol';
import { countedKeys } from '../system/networks.ts';
import { accept, type Clock, refuse } from '../system/ports.ts';

interface Bucket {
  burst: number;
  everyMs: number;
  /** Each token comes back `everyMs` after it was taken: in no time of that length are more than `burst` taken. */
  isWindow?: true;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const per = (count: number, windowMs: number): Bucket => ({ burst: count, everyMs: windowMs / count });
/** For guesses: what comes back meanwhile would double their number. */
const atMost = (count: number, windowMs: number): Bucket => ({ burst: count, everyMs: windowMs, isWindow: true });

/** The limits of requests and routes, and those that count something else than one caller's calls. */
export type BucketName =
  | LimitName
  | 'operatorCode'
  | 'signUpMails'
  | 'passwordPace'
  | 'rename'
  | 'pair'
  | 'unblock'
  | 'strangers'
  | 'pushPair'
  | 'pushTo'
  | 'httpIp'
  | 'requestsIp'
  | 'wrongTokensIp'
  | 'signInIp'
  | 'signInMissesIp'
  | 'signInFar'
  | 'signInDevice'
  | 'resetIp'
  | 'lookUpMisses'
  | 'lookUpMissesIp'
  | 'roomRequests'
  | 'socketOpensIp'
  | 'report'
  | 'cspReports'
  | 'linkCards'
  | 'linkCardsDrawn'
  | 'megapixels'
  | 'storedKilobytes'
  | 'covers'
  | 'lostImages'
  | 'previewsOfPerson'
  | 'previewsOfChat'
  | 'previewsOfHost';

const buckets: Record<BucketName, readonly Bucket[]> = {
  /** Per person, over HTTP and socket. */
  general: [per(600, minute)],
  httpIp: [per(50, 10 * second), per(200, minute)],
  /** Per address and process: everything, files and pages too. An evening of many people in one house is far below. */
  requestsIp: [per(6000, minute)],
  /** Per address, of /metrics alone: the right token asks as often as it likes. */
  wrongTokensIp: [atMost(30, 10 * minute)],
  /** Wrong passwords, per network and account as typed, known or not. */
  signIn: [{ burst: 5, everyMs: 3 * minute }, per(100, day)],
  signInIp: [{ burst: 20, everyMs: 10 * second }],
  /** Wrong passwords per network, whatever the accounts: of devices that never signed in to theirs. */
  signInMissesIp: [atMost(30, 10 * minute)],
  /** Wrong passwords per account as typed, over all networks: of devices that never signed in to it. */
  signInFar: [{ burst: 20, everyMs: 3 * minute }, per(200, day)],
  /** Wrong passwords per account and device that signed in to it before: guesses from elsewhere don't lock it out. */
  signInDevice: [{ burst: 5, everyMs: 3 * minute }, per(100, day)],
  /** Per address: enough for an evening of friends in one flat. */
  signUp: [{ burst: 20, everyMs: 12 * minute }],
  /** Per network and mailbox, known or not: verification and notice mails, each kind by itself. */
  resend: [per(3, 10 * minute), per(10, day)],
  /** Per mailbox, known or not: the same mails over all networks, so that strangers leave its owner some. */
  signUpMails: [per(20, hour), per(60, day)],
  /** Per mailbox, known or not. Until the next mail the last link stays good, however often a stranger asks for one. */
  resetMails: [per(1, 10 * minute), per(10, day)],
  /** Per address: requests for a new password, whatever the addresses they name. */
  resetIp: [per(20, hour)],
  /** Per address: wrong codes of mailed links. */
  verify: [atMost(30, 10 * minute)],
  /** Over all networks: wrong codes for the first operator. */
  operatorCode: [atMost(100, day)],
  /** Per person: wrong passwords at every place that asks for the current one. */
  password: [{ burst: 5, everyMs: 3 * minute }, per(100, day)],
  /** Per person: current passwords, right or wrong, because each is hashed. */
  passwordPace: [{ burst: 20, everyMs: 10 * second }],
  /** Per person: a new name is shown to everyone who knows them. */
  rename: [per(5, hour)],
  /** Per pair of who does it and to whom: what one causes in the stream, inbox or mail of another. */
  pair: [{ burst: 20, everyMs: 2 * second }],
  /** Per pair: blocks lifted, so that no state goes back and forth in the other's stream. */
  unblock: [{ burst: 4, everyMs: minute }],
  /** Per recipient: first messages of people without a tie, from all of them together. */
  strangers: [{ burst: 60, everyMs: minute }],
  /** Per pair: push messages to devices. */
  pushPair: [{ burst: 20, everyMs: 10 * second }],
  /** Per recipient: push messages to devices. */
  pushTo: [{ burst: 100, everyMs: 2 * second }],
  lookUp: [per(120, minute)],
  lookUpMisses: [atMost(10, 10 * minute)],
  lookUpMissesIp: [atMost(30, 10 * minute)],
  joinRequest: [per(10, minute)],
  /** Per room. */
  roomRequests: [{ burst: 20, everyMs: second }],
  roomCreate: [{ burst: 5, everyMs: minute }],
  chat: [{ burst: 10, everyMs: second }],
  /** Per person: recordings for private chats, each of which is decoded. */
  voice: [{ burst: 10, everyMs: 3 * second }, per(200, hour)],
  /** Per room. */
  playback: [per(20, second)],
  /** Per room, in bytes: the entries that its host's writes leave in the database. */
  playbackBytes: [{ burst: 32 * 1024, everyMs: second / 1536 }],
  /** Per room: what its host orders, and the answer of the person who is asked to host. */
  orders: [per(30, minute)],
  /** Per person: stamps, proposals and votes. */
  reactions: [{ burst: 12, everyMs: second / 2 }],
  receipts: [per(5, second)],
  invite: [per(10, hour)],
  soulmate: [per(10, hour)],
  /** Every search; those that go out to YouTube have a budget of their own (`search-budget`). */
  search: [per(60, minute)],
  /** Per person: one for each pause while the user types. */
  messageSearch: [{ burst: 30, everyMs: second }],
  /** Per person: looked up as messages with tracks come on the screen. */
  cards: [{ burst: 40, everyMs: second }],
  /** Per person: asked for as messages with links come on the screen. */
  previews: [{ burst: 40, everyMs: second }],
  /** Per person: pages that are fetched, which others who ask for them share. */
  previewsOfPerson: [{ burst: 40, everyMs: 30 * second }],
  /** Per person and chat: the same, so that one who sends many links leaves some for other chats. */
  previewsOfChat: [{ burst: 20, everyMs: minute }],
  /** Per host: requests for pages of all people together. */
  previewsOfHost: [{ burst: 60, everyMs: second }],
  /** Per person: files that are read for subtitles and lyrics. */
  subtitles: [per(30, minute)],
  /** Per person: passes over all items of the library. */
  browsing: [{ burst: 40, everyMs: second }],
  /** Per person: files of playlists, each of which is decoded and compared with all items of the library. */
  playlists: [per(10, minute)],
  export: [per(3, hour)],
  /** Per address: probes and the track of devices that are held beside a page. */
  beside: [per(300, minute)],
  /** Per person: tokens that a server outside is asked about. */
  listens: [per(20, hour)],
  /** Per person. */
  report: [per(5, hour)],
  socketOpensIp: [{ burst: 100, everyMs: second / 20 }],
  cspReports: [per(20, minute)],
  /** Per address: pictures of links. */
  linkCards: [per(60, minute)],
  /** Of all together: pictures of links that are drawn; beyond it a link shows the picture of its kind. */
  linkCardsDrawn: [{ burst: 30, everyMs: second / 2 }],
  /** Per person: decoded pixels of uploads, in millions, refused ones included. */
  megapixels: [{ burst: 600, everyMs: second }],
  /** Per person: what is stored for good. The operator sets the number. */
  storedKilobytes: [per(200 * 1024, day)],
  /** Per person: files of the library that are read for their cover. */
  covers: [{ burst: 300, everyMs: second / 2 }],
  /** Per person: uploads that had to be ended by force. */
  lostImages: [per(3, hour)],
};

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
}

/** Those that the operator sets. A room fills as quickly, whatever number of people it may hold. */
export function sizesFor({ storedMbPerDay, peoplePerRoom }: { storedMbPerDay: number; peoplePerRoom: number }) {
  const times = Math.max(1, peoplePerRoom / limits.participantsPerRoom);
  return {
    storedKilobytes: [per(storedMbPerDay * 1024, day)],
    roomRequests: [{ burst: 20 * times, everyMs: second / times }],
  };
}

export function createLimits({ clock, scale, sizes = {}, store = memoryRateLimitStore() }: LimitsDeps): Limits {
  async function draw(name: BucketName, key: string, how: Draw, count = 1): Promise<Result<unknown>> {
    if (scale === 0) return accept({});
    const cells = countedKeys(key).flatMap(([counted, shares]) =>
      (sizes[name] ?? buckets[name]).map((bucket, index) => {
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
    return waitMs === 0 ? accept({}) : refuse('limit/too-many', { retryAfterMs: Math.ceil(waitMs) });
  }
  return {
    take: (name, key, count) => draw(name, key, 'take', count),
    peek: (name, key) => draw(name, key, 'peek'),
    async giveBack(name, key, count) {
      await draw(name, key, 'return', count);
    },
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

/** Requests of one connection: 20 a second, bursts of 60; a client far beyond that is disconnected. */
const perSecond = 20;
const burst = 60;
const refusalsToClose = 200;

export class ConnectionRateLimit {
  readonly #isLifted: boolean;
  readonly #bucket: TokenBucket;
  #refused = 0;

  constructor(scale: number) {
    this.#isLifted = scale === 0;
    this.#bucket = new TokenBucket(perSecond * scale, burst * scale);
  }

  take(): 'pass' | 'refuse' | 'close' {
    if (this.#isLifted) return 'pass';
    if (this.#bucket.take()) {
      this.#refused = 0;
      return 'pass';
    }
    this.#refused += 1;
    return this.#refused > refusalsToClose ? 'close' : 'refuse';
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
