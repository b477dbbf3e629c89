/**
 * Changes what a stream has stored, for words that must not be read again.
 */
import type { StreamId } from '@tunemate/protocol';
import type { Change } from './record.ts';
import type { Db } from './schema.ts';

/**
 * Replaces stored changes that hold `mentioned` and must not be read again as they are; null keeps one. Their numbers
 * stay. Within a write that holds the stream.
 */
export async function replaceEntries(
  db: Db,
  stream: StreamId,
  mentioned: string,
  replacement: (change: Change) => Change | null,
): Promise<void> {
  const entries = await db
    .selectFrom('stream_entries')
    .select(['seq', 'change'])
    .where('stream', '=', stream)
    .where('change', 'like', `%${mentioned}%`)
    .execute();
  for (const { seq, change } of entries) {
    const replaced = replacement(JSON.parse(change) as Change);
    if (replaced === null) continue;
    await db
      .updateTable('stream_entries')
      .set({ change: JSON.stringify(replaced) })
      .where('stream', '=', stream)
      .where('seq', '=', seq)
      .execute();
  }
}
