/**
 * Adds the proposals of rooms and the votes for them, the votes to skip, and what the host allows everybody: adding to
 * the queue, and skipping at a majority.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('proposals')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('proposal_id', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('video_id', 'text', (column) => column.notNull())
    .addColumn('track', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('proposals_pk', ['proposal_id'])
    .addUniqueConstraint('proposals_track', ['room_id', 'video_id'])
    .execute();
  await db.schema
    .createTable('proposal_votes')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('proposal_id', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('proposal_votes_pk', ['proposal_id', 'uid'])
    .execute();
  await db.schema.createIndex('proposal_votes_uid').on('proposal_votes').column('uid').execute();
  await db.schema.createIndex('proposal_votes_room').on('proposal_votes').column('room_id').execute();
  await db.schema
    .createTable('skip_votes')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('skip_votes_pk', ['room_id', 'uid'])
    .execute();
  for (const table of ['rooms', 'audiorooms']) {
    for (const setting of ['everyone_adds', 'majority_skips']) {
      await db.schema
        .alterTable(table)
        .addColumn(setting, 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    }
  }
}
