/**
 * The transactions of the record. On SQLite, where only one can run at a time and a commit costs more than most of what
 * is in it, writes that wait at one moment share one: each is a savepoint, so it fails alone, and none is answered
 * before the commit. On PostgreSQL writes run side by side, each in a transaction of its own.
 */
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

type Work<T> = (db: Transaction<Schema>) => Promise<T>;
export type InTransaction = <T>(work: Work<T>) => Promise<T>;

/** A longer queue takes several commits, so that reads get their turn in between. */
const writesPerCommit = 64;

/** One waiting write. */
interface Waiting {
  /** Answers what tells the caller, which is called once the commit has succeeded. */
  run: (db: Transaction<Schema>, isAlone: boolean) => Promise<() => void>;
  fail: (error: unknown) => void;
}

/** Called, before anything else is done, when a shared transaction was committed, and when one of its writes was undone. */
export interface TransactionEnds {
  committed: () => void;
  undone: () => void;
}

export function transactionsOf(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  ends: TransactionEnds,
): InTransaction {
  return dialect === 'sqlite' ? shared(db, ends) : (work) => db.transaction().execute(work);
}

function shared(db: Kysely<Schema>, ends: TransactionEnds): InTransaction {
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      // SQLite answers without a turn of the event loop: only here is it seen what else has arrived.
      await setImmediate();
      await commitTogether(db, waiting.splice(0, writesPerCommit), ends);
    }
    isRunning = false;
  }

  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        run: async (transaction, isAlone) => {
          const outcome = isAlone ? await done(work, transaction) : await inSavepoint(work, transaction, ends.undone);
          return () => (outcome.ok ? resolve(outcome.value) : reject(outcome.error));
        },
        fail: reject,
      });
      if (!isRunning) void runAll();
    });
}

/** When the commit fails, nothing of any of them is stored, and each is told so. */
async function commitTogether(db: Kysely<Schema>, writes: readonly Waiting[], ends: TransactionEnds): Promise<void> {
  const tell: (() => void)[] = [];
  try {
    await db.transaction().execute(async (transaction) => {
      for (const write of writes) tell.push(await write.run(transaction, writes.length === 1));
    });
  } catch (error) {
    ends.undone();
    for (const write of writes) write.fail(error);
    return;
  }
  ends.committed();
  for (const each of tell) each();
}

type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

async function done<T>(work: Work<T>, transaction: Transaction<Schema>): Promise<Outcome<T>> {
  return { ok: true, value: await work(transaction) };
}

/** Undoes what a failing write did, and nothing of the others. */
async function inSavepoint<T>(
  work: Work<T>,
  transaction: Transaction<Schema>,
  undone: () => void,
): Promise<Outcome<T>> {
  await sql`savepoint one_write`.execute(transaction);
  try {
    const outcome = await done(work, transaction);
    await sql`release one_write`.execute(transaction);
    return outcome;
  } catch (error) {
    undone();
    try {
      await sql`rollback to one_write`.execute(transaction);
      await sql`release one_write`.execute(transaction);
    } catch {
      // SQLite has ended the whole transaction, as it does when the disk is full.
      throw error;
    }
    return { ok: false, error };
  }
}
