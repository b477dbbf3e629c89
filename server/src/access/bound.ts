/** What an entry of the bounds against floods says. */
/** A token bucket: `burst` tokens, of which one comes back every `everyMs`. */
export interface Bucket {
  burst: number;
  everyMs: number;
  /** Each token comes back `everyMs` after it was taken: in no time of that length are more than `burst` taken. */
  isWindow?: true;
}

export interface Counted {
  /** Whose share it is. 'account': as typed. 'all': one share for the server. */
  key: 'person' | 'network' | 'room' | 'pair' | 'recipient' | 'socket' | 'account' | 'all';
  /** What is counted, and the attack that succeeds without it, as docs/access.md prints them. */
  of: string;
  attack: string;
}

export const [second, minute, hour] = [1000, 60_000, 3_600_000];
export const day = 24 * hour;
export const per = (count: number, windowMs: number): Bucket => ({ burst: count, everyMs: windowMs / count });
/** For guesses: what comes back meanwhile would double their number. */
export const atMost = (count: number, windowMs: number): Bucket => ({
  burst: count,
  everyMs: windowMs,
  isWindow: true,
});

/** A bound that refuses what is beyond it. */
export type Bound = Counted & { buckets: readonly Bucket[] };
