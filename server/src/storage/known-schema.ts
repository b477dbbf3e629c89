/**
 * Refuses a database that this version must not touch: one of a newer version, or of another program. It knows names
 * of tables and migrations only.
 */
import { Failure } from '../system/ports.ts';

/** Where Kysely notes the migrations that were applied. */
export const migrationsTable = 'kysely_migration';

/** Throws unless the database is empty or was made by this version or an older one. */
export function assertKnownSchema(
  tables: readonly string[],
  applied: readonly string[],
  known: readonly string[],
): void {
  if (tables.length > 0 && !tables.includes(migrationsTable)) {
    throw new Failure('server/unavailable', 'database.of-another-program');
  }
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Failure('server/unavailable', 'database.newer-schema');
}
