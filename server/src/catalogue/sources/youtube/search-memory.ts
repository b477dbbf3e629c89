/**
 * Stores answers of the video service and how much of each budget is spent: shared by all processes, kept over restarts.
 */
import type { Db } from '../../../storage/schema.ts';

export type SearchMemory = ReturnType<typeof storedMemory>;

export function storedMemory(db: Db) {
  return {
    /** The answer stored under a key, of any age. */
    async recall(key: string): Promise<{ answer: string; atMs: number } | null> {
      const row = await db
        .selectFrom('catalogue_cache')
        .select(['answer', 'at_ms'])
        .where('key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : { answer: row.answer, atMs: row.at_ms };
    },
    async keep(key: string, answer: string, atMs: number): Promise<void> {
      await db
        .insertInto('catalogue_cache')
        .values({ key, answer, at_ms: atMs })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ answer, at_ms: atMs }))
        .execute();
    },
    /** Takes one of `allowance` under a key; false, taking nothing, when none is left. */
    async spend(key: string, allowance: number, expiresAtMs: number): Promise<boolean> {
      if (allowance < 1) return false;
      // One statement, so that two processes can't both take the last one.
      const taken = await db
        .insertInto('search_budget')
        .values({ key, used: 1, expires_at_ms: expiresAtMs })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet((eb) => ({ used: eb('search_budget.used', '+', 1) }))
            .where('search_budget.used', '<', allowance),
        )
        .returning('used')
        .executeTakeFirst();
      return taken !== undefined;
    },
    /** Returns one `spend` under a key, for a call that was not made. */
    async giveBack(key: string): Promise<void> {
      await db
        .updateTable('search_budget')
        .set((eb) => ({ used: eb('used', '-', 1) }))
        .where('key', '=', key)
        .where('used', '>', 0)
        .execute();
    },
    /** Leaves nothing of `allowance` under a key. */
    async exhaust(key: string, allowance: number, expiresAtMs: number): Promise<void> {
      await db
        .insertInto('search_budget')
        .values({ key, used: allowance, expires_at_ms: expiresAtMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ used: allowance }).where('search_budget.used', '<', allowance),
        )
        .execute();
    },
    /** Deletes answers older than `answersBeforeMs` and budgets that expired by `nowMs`. */
    async forget(answersBeforeMs: number, nowMs: number): Promise<void> {
      await db.deleteFrom('catalogue_cache').where('at_ms', '<', answersBeforeMs).execute();
      await db.deleteFrom('search_budget').where('expires_at_ms', '<=', nowMs).execute();
    },
  };
}
