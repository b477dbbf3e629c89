/**
 * Migrations 0002 to 0005: connections, streams, sign-ups and images.
 */
import { type Kysely, sql } from 'kysely';

/**
 * Adds the tab to connections: a host's tab holds control of playback only while it is in the room.
 */
export async function tabOfConnection(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('connections').addColumn('tab_id', 'text').execute();
}

/**
 * Adds the time of each stream's last change, so that its times never go back, and of the last change of a person's
 * name or presence, so that every process finds changes whose notification was lost. Indexes blocks by the blocked
 * person.
 */
export async function timesOfChanges(db: Kysely<unknown>): Promise<void> {
  const atMs = (table: string, column: string) =>
    db.schema
      .alterTable(table)
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  await atMs('streams', 'at_ms');
  await sql`
    update streams set at_ms = coalesce(
      (select max(at_ms) from stream_entries where stream_entries.stream = streams.stream), 0)`.execute(db);
  await atMs('users', 'shown_changed_at_ms');
  await db.schema.createIndex('blocks_blocked').on('blocks').column('blocked').execute();
  await db.schema.createIndex('users_shown_changed').on('users').column('shown_changed_at_ms').execute();
}

/**
 * Adds the sign-up to links and tickets: several people may sign up with one address before its owner opens a link.
 * Marks accounts that are deleted and not yet cleared from other tables.
 */
export async function signUps(db: Kysely<unknown>): Promise<void> {
  for (const table of ['action_codes', 'sign_up_tickets']) {
    await db.schema.alterTable(table).addColumn('name', 'text').execute();
    await db.schema.alterTable(table).addColumn('password_hash', 'text').execute();
  }
  await db.schema
    .alterTable('users')
    .addColumn('must_clear', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/**
 * Replaces the flag that an image was sent by its state: a place is reserved before the picture is decoded, and files
 * are deleted before their row. Adds indexes for the export of a person's data.
 */
export async function stateOfImage(db: Kysely<unknown>): Promise<void> {
  const images = db as Kysely<{ images: { state: string; attached: number } }>;
  await db.schema
    .alterTable('images')
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('unsent'))
    .execute();
  await images.updateTable('images').set({ state: 'sent' }).where('attached', '=', 1).execute();
  await db.schema.dropIndex('images_pending').execute();
  await db.schema.alterTable('images').dropColumn('attached').execute();
  await db.schema.createIndex('images_uploader').on('images').columns(['uploader', 'image_id']).execute();
  await db.schema.createIndex('images_state').on('images').columns(['state', 'created_at_ms']).execute();
  await db.schema.createIndex('audit_uid').on('audit').columns(['uid', 'at_ms']).execute();
  for (const chat of ['room_chat', 'audioroom_chat']) {
    await db.schema.createIndex(`${chat}_sender`).on(chat).columns(['sender', 'room_id', 'number']).execute();
  }
}
