/**
 * Migrations 0008 to 0015: rooms: their connections, chats, requests and proposals.
 */
import { type Kysely, sql } from 'kysely';

/**
 * Adds the round-trip time to connections, so that every process can schedule a command for all of them.
 */
export async function roundTripOfConnection(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('connections').addColumn('round_trip_ms', 'integer').execute();
}

/**
 * Adds to the chats of rooms the stamps that people press on messages, and whether the host deleted a message.
 */
export async function stampsAndDeletions(db: Kysely<unknown>): Promise<void> {
  for (const part of ['room', 'audioroom']) {
    await db.schema
      .alterTable(`${part}_chat`)
      .addColumn('is_deleted', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable(`${part}_stamps`)
      .addColumn('room_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('uid', 'text', (column) => column.notNull())
      .addColumn('stamp', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${part}_stamps_pk`, ['room_id', 'message_id', 'uid', 'stamp'])
      .execute();
    await db.schema.createIndex(`${part}_stamps_uid`).on(`${part}_stamps`).columns(['uid', 'room_id']).execute();
  }
}

/**
 * Adds the admission of a room, when the page of a request to join last renewed it, invitations to rooms, and the room
 * of a notification.
 */
export async function admission(db: Kysely<unknown>): Promise<void> {
  for (const [rooms, requests] of [
    ['rooms', 'room_requests'],
    ['audiorooms', 'audioroom_requests'],
  ] as const) {
    await db.schema
      .alterTable(rooms)
      .addColumn('admits', 'text', (c) => c.notNull().defaultTo('nobody'))
      .execute();
    await db.schema
      .alterTable(requests)
      .addColumn('renewed_at_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update ${sql.table(requests)} set renewed_at_ms = asked_at_ms`.execute(db);
  }
  await db.schema
    .createTable('room_invitations')
    .addColumn('room_id', 'text', (c) => c.notNull())
    .addColumn('uid', 'text', (c) => c.notNull())
    .addColumn('by_host_at_ms', 'bigint')
    .addPrimaryKeyConstraint('room_invitations_pk', ['room_id', 'uid'])
    .execute();
  await db.schema.alterTable('notifications').addColumn('room_id', 'text').execute();
  await db.schema.createIndex('room_invitations_uid').on('room_invitations').column('uid').execute();
}

/**
 * Adds to rooms the pending hand-over: to whom, until when, and whether the host leaves then; and whether the room
 * accepts requests to join.
 */
export async function handOver(db: Kysely<unknown>): Promise<void> {
  for (const table of ['rooms', 'audiorooms']) {
    await db.schema.alterTable(table).addColumn('offered_to', 'text').execute();
    await db.schema.alterTable(table).addColumn('offered_until_ms', 'bigint').execute();
    await db.schema
      .alterTable(table)
      .addColumn('leaves_when_taken', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable(table)
      .addColumn('is_locked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
}

/**
 * Adds indexes: connections by the end of their grace period, which every process queries every 2 s, and members in the
 * order of their pages.
 */
export async function indexesOfConnections(db: Kysely<unknown>): Promise<void> {
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

/**
 * Adds the proposals of rooms and the votes for them, the votes to skip, and two settings: every member adds to the
 * queue, and a majority skips.
 */
export async function proposals(db: Kysely<unknown>): Promise<void> {
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
