/**
 * What the catalogue remembers between calls: answers of the video service, and how much of each budget is spent.
 * A port: where it is kept is the store's business.
 */

export interface SearchMemory {
  /** The answer kept under a key, whatever its age. */
  recall(key: string): Promise<{ answer: string; atMs: number } | null>;
  keep(key: string, answer: string, atMs: number): Promise<void>;
  /** Takes one of `allowance` under a key; false, taking nothing, when none is left. */
  spend(key: string, allowance: number, expiresAtMs: number): Promise<boolean>;
  /** Takes back one `spend` under a key, for a call that did not go out after all. */
  giveBack(key: string): Promise<void>;
  /** Leaves nothing of `allowance` under a key. */
  exhaust(key: string, allowance: number, expiresAtMs: number): Promise<void>;
  /** Drops answers older than `answersBeforeMs` and budgets that expired by `nowMs`. */
  forget(answersBeforeMs: number, nowMs: number): Promise<void>;
}
