/**
 * Replaces the flag that an image was sent by its state: a place is reserved before the picture is decoded, and files
 * are deleted before their row. Adds indexes for the export of a person's data.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
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
