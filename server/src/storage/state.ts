/**
 * Whether the database can be used at this moment: at the start for writing, later for answering at all.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

const answerWithinMs = 2000;

/** Throws what the driver throws when nothing can be written: a read-only file shows only then. */
export async function assertWritable(db: Kysely<Schema>): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: 'written-at-start', value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '1' }))
    .execute();
}

/** True when the database answers within 2 s. */
export async function isReachable(db: Kysely<Schema>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), answerWithinMs);
  });
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
