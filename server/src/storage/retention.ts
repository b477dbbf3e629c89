/**
 * How long changes, answers and logs are kept, so that the database grows with the number of people and not with time.
 * Features prune their own rows.
 */
import type { Clock } from '../system/ports.ts';
import { forgetAnswersUntil } from './idempotency.ts';
import type { StreamRecord } from './record.ts';
import type { Db } from './schema.ts';

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;
/** Every process reads new entries within seconds; a client that was away longer takes a snapshot. */
const entryMs = 10 * minuteMs;
const auditMs = 90 * dayMs;
/** Reports and the operator's actions. */
export const operatorRecordsMs = 365 * dayMs;

export async function pruneLogs(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('operator_log')
    .where('at_ms', '<', nowMs - operatorRecordsMs)
    .execute();
  await db
    .deleteFrom('audit')
    .where('at_ms', '<', nowMs - auditMs)
    .execute();
}

/**
 * For rows that grow with every change in a room; runs every minute. Rows written since the last round stay, whatever
 * their age: after the machine was suspended all rows look old.
 */
export function pruneChanges({ record, clock }: { record: StreamRecord; clock: Clock }): () => Promise<void> {
  let lastRoundMs = clock.now();
  return async () => {
    const nowMs = clock.now();
    await record.forgetEntriesBefore(Math.min(nowMs - entryMs, lastRoundMs), nowMs - dayMs);
    await forgetAnswersUntil(record.db, nowMs);
    lastRoundMs = nowMs;
  };
}
