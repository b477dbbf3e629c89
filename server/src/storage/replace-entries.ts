/**
 * Changes what a stream has stored, for words that must not be read again.
 */
import type { StreamId } from '@tunemate/protocol';
import type { Change } from './record.ts';
import type { Db } from './schema.ts';

/**
 * Replaces stored changes that hold `mentioned` and must not be read again as they are; null keeps one. Their numbers
 * stay. Within a write that holds the streams. Two statements.
 */
export async function replaceEntries(
  db: Db,
  streams: readonly StreamId[],
  mentioned: string,
  replacement: (change: Change) => Change | null,
): Promise<void> {
  const entries = await db
    .selectFrom('stream_entries')
    .selectAll()
    .where('stream', 'in', [...streams])
    .where('change', 'like', `%${mentioned}%`)
    .execute();
  const replaced = entries.flatMap((entry) => {
    const change = replacement(JSON.parse(entry.change) as Change);
    return change === null ? [] : [{ ...entry, change: JSON.stringify(change) }];
  });
  for (let from = 0; from < replaced.length; from += mostAtOnce) {
    await db
      .insertInto('stream_entries')
      .values(replaced.slice(from, from + mostAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['stream', 'seq']).doUpdateSet((is) => ({ change: is.ref('excluded.change') })),
      )
      .execute();
  }
}

/** Rows of one statement; databases bound the number of its parameters. */
const mostAtOnce = 500;
