/** Counts who waits to be let into a room without reading everybody who ever asked. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const requests of ['room_requests', 'audioroom_requests']) {
    await db.schema
      .createIndex(`${requests}_pending`)
      .on(requests)
      .columns(['room_id', 'renewed_at_ms'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute();
  }
}
