/** One transaction for several writes: one that fails fails alone, and none is answered before the commit. */
import { CompiledQuery, type Transaction } from 'kysely';
import type { Db, Schema } from './schema.ts';

export type Work<T> = (db: Transaction<Schema>) => Promise<T>;

/** What becomes of a shared transaction. */
export interface TransactionEnds {
  begun?: (db: Transaction<Schema>) => Promise<void>;
  /** In so many milliseconds. */
  committed: (ms: number) => void;
  /** A write was undone, or the whole transaction. */
  undone: () => void;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

/** What the work of this outcome returned; throws what it threw. */
export function valueOf(outcome: Outcome): unknown {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/**
 * Throws when the commit fails: then nothing of any of them is stored. Hardly ever does a write fail: only then do they
 * all run again, each in a savepoint.
 */
export async function commitTogether(
  database: Db,
  writes: readonly Work<unknown>[],
  { begun, committed, undone }: TransactionEnds,
): Promise<Outcome[]> {
  let outcomes: Outcome[] = [];
  let writtenMs: number | null = null;
  const run = (each: (write: Work<unknown>, transaction: Transaction<Schema>) => Promise<Outcome>) =>
    database.transaction().execute(async (transaction) => {
      outcomes = [];
      await begun?.(transaction);
      for (const write of writes) outcomes.push(await each(write, transaction));
      writtenMs = performance.now();
    });
  try {
    await run(done);
  } catch (error) {
    undone();
    // What failed at the commit may have been stored.
    if (writes.length === 1 || writtenMs !== null) throw error;
    await run((write, transaction) => inSavepoint(write, transaction, undone)).catch((again: unknown) => {
      undone();
      throw again;
    });
  }
  committed(performance.now() - (writtenMs ?? 0));
  return outcomes;
}

async function done(write: Work<unknown>, transaction: Transaction<Schema>): Promise<Outcome> {
  return { ok: true, value: await write(transaction) };
}

/** Two of them go round each write that shares a commit: built once. */
const savepoint = {
  begin: CompiledQuery.raw('savepoint one_write'),
  release: CompiledQuery.raw('release one_write'),
  rollBack: CompiledQuery.raw('rollback to one_write'),
};

/** Undoes what a failing write did, and nothing of the others. */
async function inSavepoint(
  write: Work<unknown>,
  transaction: Transaction<Schema>,
  undone: () => void,
): Promise<Outcome> {
  await transaction.executeQuery(savepoint.begin);
  try {
    const outcome = await done(write, transaction);
    await transaction.executeQuery(savepoint.release);
    return outcome;
  } catch (error) {
    undone();
    try {
      await transaction.executeQuery(savepoint.rollBack);
      await transaction.executeQuery(savepoint.release);
    } catch {
      // SQLite has ended the whole transaction, as it does when the disk is full.
      throw error;
    }
    return { ok: false, error };
  }
}
