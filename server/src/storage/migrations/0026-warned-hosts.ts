/** Adds to rooms whether their host, who is away, was warned that the room ends soon: once for each absence. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rooms', 'audiorooms']) {
    await db.schema
      .alterTable(table)
      .addColumn('is_host_warned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}
