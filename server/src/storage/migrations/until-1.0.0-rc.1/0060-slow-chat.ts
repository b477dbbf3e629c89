/** Migration 0060: how long a guest of a room waits from one message to the next; 0 while its chat is not slow. */
import type { Kysely } from 'kysely';

export async function slowChat(db: Kysely<unknown>): Promise<void> {
  for (const rooms of ['rooms', 'audiorooms']) {
    await db.schema
      .alterTable(rooms)
      .addColumn('slow_seconds', 'integer', (made) => made.notNull().defaultTo(0))
      .execute();
  }
}
