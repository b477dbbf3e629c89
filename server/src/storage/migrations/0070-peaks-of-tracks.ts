/** Migration 0070: how loud the parts of each track are, beside its loudness; null for what was measured before. */
import type { Kysely } from 'kysely';

export async function peaksOfTracks(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('measured_loudness').addColumn('peaks', 'text').execute();
}
