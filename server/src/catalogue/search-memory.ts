/**
 * What the catalogue remembers between calls: answers of the video service, and how much of each budget is spent.
 * A port, so that one process keeps it in memory and several share a database.
 */

export interface SearchMemory {
  /** The answer kept under a key, whatever its age. */
  recall(key: string): Promise<{ answer: string; atMs: number } | null>;
  keep(key: string, answer: string, atMs: number): Promise<void>;
  /** Takes one of `allowance` under a key; false, taking nothing, when none is left. */
  spend(key: string, allowance: number, expiresAtMs: number): Promise<boolean>;
  /** Leaves nothing of `allowance` under a key. */
  exhaust(key: string, allowance: number, expiresAtMs: number): Promise<void>;
  /** Drops answers older than `answersBeforeMs` and budgets that expired by `nowMs`. */
  forget(answersBeforeMs: number, nowMs: number): Promise<void>;
}

/** Most answers kept in memory; the oldest go first. */
const maxAnswers = 1000;

/** Lasts as long as this process. */
export function inMemory(): SearchMemory {
  const answers = new Map<string, { answer: string; atMs: number }>();
  const budgets = new Map<string, { used: number; expiresAtMs: number }>();
  return {
    recall: (key) => Promise.resolve(answers.get(key) ?? null),
    keep(key, answer, atMs) {
      answers.delete(key);
      answers.set(key, { answer, atMs });
      const [oldest] = answers.keys();
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
      return Promise.resolve();
    },
    spend(key, allowance, expiresAtMs) {
      const used = budgets.get(key)?.used ?? 0;
      if (used >= allowance) return Promise.resolve(false);
      budgets.set(key, { used: used + 1, expiresAtMs });
      return Promise.resolve(true);
    },
    exhaust(key, allowance, expiresAtMs) {
      budgets.set(key, { used: Math.max(allowance, budgets.get(key)?.used ?? 0), expiresAtMs });
      return Promise.resolve();
    },
    forget(answersBeforeMs, nowMs) {
      for (const [key, { atMs }] of answers) if (atMs < answersBeforeMs) answers.delete(key);
      for (const [key, { expiresAtMs }] of budgets) if (expiresAtMs <= nowMs) budgets.delete(key);
      return Promise.resolve();
    },
  };
}
