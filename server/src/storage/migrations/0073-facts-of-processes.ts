/** Migration 0073: what each process says of itself, so that processes that do not fit together notice it. */
import type { Kysely } from 'kysely';

export async function factsOfProcesses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('processes').addColumn('facts', 'text').execute();
}
