/** Migration 0074: who may control what a room plays beside its host; null where only the host may. */
import type { Kysely } from 'kysely';

export async function remote(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rooms', 'audiorooms']) {
    await db.schema.alterTable(table).addColumn('remote', 'text').execute();
  }
}
