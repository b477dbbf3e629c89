/**
 * A cache of calls to the video service: answers are kept for 24 h, and two equal calls at once are made once.
 */
import type { UsedUp } from './search-budget.ts';
import type { SearchMemory } from './search-memory.ts';

export const answersKeptMs = 24 * 60 * 60 * 1000;

/**
 * No call may be made now. Only the caller that starts a call is charged for it, not one that waits for the same call.
 */
export class BudgetUsedUp extends Error {
  readonly usedUp: UsedUp;
  constructor(usedUp: UsedUp) {
    super(`searches used up for this ${usedUp}`);
    this.usedUp = usedUp;
  }
}

/** Names the budget that is used up, if any; then BudgetUsedUp is thrown. */
type Pay = () => Promise<UsedUp | null>;

/** Answers must survive JSON. */
export interface CachedCalls {
  ask<Answer>(key: string, pay: Pay, call: () => Promise<Answer>): Promise<Answer>;
  /** The answer kept under a key; null when there is none that is new enough. */
  recall(key: string): Promise<{ answer: unknown } | null>;
  /** One call, paid for once, for keys under which nothing is kept; each answer is kept under its own. */
  askTogether<Answer>(keys: readonly string[], pay: Pay, call: () => Promise<readonly Answer[]>): Promise<Answer[]>;
}

export function cachedCalls(memory: SearchMemory, clock: { now(): number }): CachedCalls {
  const running = new Map<string, Promise<unknown>>();

  async function recall(key: string): Promise<{ answer: unknown } | null> {
    const kept = await memory.recall(key);
    if (kept === null || clock.now() - kept.atMs >= answersKeptMs) return null;
    return { answer: JSON.parse(kept.answer) };
  }

  async function paid<Answer>(pay: Pay, call: () => Promise<Answer>): Promise<Answer> {
    const usedUp = await pay();
    if (usedUp !== null) throw new BudgetUsedUp(usedUp);
    return await call();
  }

  const keep = (key: string, answer: unknown) => memory.keep(key, JSON.stringify(answer), clock.now());

  /** Starts the work unless it is under way already. */
  function once<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const ongoing = running.get(key);
    if (ongoing !== undefined) return ongoing as Promise<Answer>;
    const started = work().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  return {
    recall,
    ask: <Answer>(key: string, pay: Pay, call: () => Promise<Answer>) =>
      once(key, async () => {
        const kept = await recall(key);
        if (kept !== null) return kept.answer as Answer;
        const answer = await paid(pay, call);
        await keep(key, answer);
        return answer;
      }),
    askTogether: (keys, pay, call) =>
      // Not one that `ask` may have under way: that answers with one.
      once(`together:${keys.join('\n')}`, async () => {
        const answers = await paid(pay, call);
        for (const [index, key] of keys.entries()) await keep(key, answers[index]);
        return [...answers];
      }),
  };
}
