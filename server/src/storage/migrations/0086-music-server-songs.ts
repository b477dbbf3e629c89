/** Migration 0086: what a music server lists is stored, so that a start lists it at once. */
import type { Kysely } from 'kysely';

export async function musicServerSongs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('music_server_songs')
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('songs', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('music_server_songs_key', ['server', 'part'])
    .execute();
}
