/**
 * Adds indexes: connections by the end of their grace period, which every process looks for all the time, and members
 * in the order in which a page of them is read.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('connections_lingers')
    .on('connections')
    .column('lingers_until_ms')
    .where('lingers_until_ms' as never, 'is not', null as never)
    .execute();
  for (const members of ['room_participants', 'audioroom_participants']) {
    await db.schema.createIndex(`${members}_order`).on(members).columns(['room_id', 'joined_at_ms', 'uid']).execute();
  }
}
