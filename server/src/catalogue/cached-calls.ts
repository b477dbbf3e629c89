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

export interface CachedCalls {
  /** `pay` names the budget that is used up, if any; then BudgetUsedUp is thrown. Answers must survive JSON. */
  ask<Answer>(key: string, pay: () => Promise<UsedUp | null>, call: () => Promise<Answer>): Promise<Answer>;
}

export function cachedCalls(memory: SearchMemory, clock: { now(): number }): CachedCalls {
  const running = new Map<string, Promise<unknown>>();

  async function askAfresh<Answer>(
    key: string,
    pay: () => Promise<UsedUp | null>,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    const kept = await memory.recall(key);
    if (kept !== null && clock.now() - kept.atMs < answersKeptMs) return JSON.parse(kept.answer) as Answer;
    const usedUp = await pay();
    if (usedUp !== null) throw new BudgetUsedUp(usedUp);
    const answer = await call();
    await memory.keep(key, JSON.stringify(answer), clock.now());
    return answer;
  }

  return {
    ask<Answer>(key: string, pay: () => Promise<UsedUp | null>, call: () => Promise<Answer>) {
      const ongoing = running.get(key);
      if (ongoing !== undefined) return ongoing as Promise<Answer>;
      const started = askAfresh(key, pay, call).finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}
