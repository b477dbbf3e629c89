/**
 * What the catalogue remembers between calls: answers of the video service, and how much of each budget is spent.
 * An interface: the store decides where it is kept.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../../storage/schema.ts';

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

// The catalogue's memory in the database: shared by every process, kept over restarts.
export function storedMemory(db: Kysely<Schema>): SearchMemory {
  return {
    async recall(key) {
      const row = await db
        .selectFrom('catalogue_cache')
        .select(['answer', 'at_ms'])
        .where('key', '=', key)
        .executeTakeFirst();
      return row === undefined ? null : { answer: row.answer, atMs: row.at_ms };
    },
    async keep(key, answer, atMs) {
      await db
        .insertInto('catalogue_cache')
        .values({ key, answer, at_ms: atMs })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ answer, at_ms: atMs }))
        .execute();
    },
    async spend(key, allowance, expiresAtMs) {
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
    async giveBack(key) {
      await db
        .updateTable('search_budget')
        .set((eb) => ({ used: eb('used', '-', 1) }))
        .where('key', '=', key)
        .where('used', '>', 0)
        .execute();
    },
    async exhaust(key, allowance, expiresAtMs) {
      await db
        .insertInto('search_budget')
        .values({ key, used: allowance, expires_at_ms: expiresAtMs })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ used: allowance }).where('search_budget.used', '<', allowance),
        )
        .execute();
    },
    async forget(answersBeforeMs, nowMs) {
      await db.deleteFrom('catalogue_cache').where('at_ms', '<', answersBeforeMs).execute();
      await db.deleteFrom('search_budget').where('expires_at_ms', '<=', nowMs).execute();
    },
  };
}
