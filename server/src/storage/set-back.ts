/**
 * Times that were stored while the clock was ahead become now once it is set right. What waits for them would wait for as
 * long as it was ahead: a mail, a guest of a slow chat, a room for the end of its host's absence, people who left long ago.
 */
import { sql } from 'kysely';
import type { Clock, Log } from '../system/ports.ts';
import type { StreamRecord } from './record.ts';
import type { Db } from './schema.ts';

/** A smaller correction is soon over. */
const toleratedMs = 60_000;
/** When something was, when it is tried again, or when a lost connection counts as gone. */
const moments = /(?:^|_)at_ms$|_since_ms$|^timestamp_ms$|^grace_until_ms$/;
const deadlines: readonly string[] = ['expires_at_ms'];
/** Their times are part of their keys. */
const tablesAsTheyAre: readonly string[] = ['listens'];

interface SetBackDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** After the times were brought back: the clock was so far ahead. */
  wasAhead: (byMs: number) => Promise<void>;
}

/** Each look answers whether the clock was set back since the one before; the first, since anything was stored. */
export function setBackWatch({ record, clock, log, wasAhead }: SetBackDeps): () => Promise<boolean> {
  let latestMs: number | null = null;
  return async () => {
    const nowMs = clock.now();
    const byMs = (latestMs ?? (await latestStored(record.db))) - nowMs;
    const isSetBack = byMs > toleratedMs;
    if (isSetBack) {
      await bringBack(record, nowMs);
      await wasAhead(byMs);
      log.warn({ byMs }, 'clock.set-back');
    }
    // Not before all was brought back: what failed is tried again.
    latestMs = nowMs;
    return isSetBack;
  };
}

/** Every process that lives reports, and whatever people do is a change of a stream. */
async function latestStored(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number | string | null }>`
    select max(at_ms) as at from streams union all select max(seen_at_ms) from processes`.execute(db);
  return Math.max(0, ...rows.map(({ at }) => Number(at)));
}

async function bringBack(record: StreamRecord, nowMs: number): Promise<void> {
  const tables = await record.db.introspection.getTables();
  const found = tables
    .filter(({ name, schema = 'public', isView }) => schema === 'public' && !isView && !tablesAsTheyAre.includes(name))
    .flatMap(({ name, columns }) => columns.map((column) => ({ table: name, column: column.name })))
    .filter(({ column }) => moments.test(column) && !deadlines.includes(column));
  await record.write([], async ({ db }) => {
    for (const { table, column } of found) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${nowMs}
        where ${sql.ref(column)} > ${nowMs + toleratedMs}`.execute(db);
    }
    record.forgetHeads();
  });
}
