/**
 * What the catalogue remembers between calls: answers of the video service, and how much of each budget is spent.
 * An interface: the store decides where it is kept.
 */

export interface SearchMemory {
  /** The answer kept under a key, whatever its age. */
  recall(key: string): Promise<{ answer: string; atMs: number } | null>;
  keep(key: string, answer: string, atMs: number): Promise<void>;
  /** Takes one of `allowance` under a key; false, taking nothing, when none is left. */
  spend(key: string, allowance: number, expiresAtMs: number): Promise<boolean>;
  /** Returns one `spend` under a key, for a call that was not made. */
  giveBack(key: string): Promise<void>;
  /** Leaves nothing of `allowance` under a key. */
  exhaust(key: string, allowance: number, expiresAtMs: number): Promise<void>;
  /** Drops answers older than `answersBeforeMs` and budgets that expired by `nowMs`. */
  forget(answersBeforeMs: number, nowMs: number): Promise<void>;
}
