/**
 * Moves the queue of a room to rows of its own, so that a pause does not write it again, and drops the addresses of
 * pictures, which are made from the ids. Adds to kept answers their room, with which they are deleted, and their
 * expiry.
 */
import type { Kysely } from 'kysely';

const dayMs = 24 * 60 * 60 * 1000;

interface Track {
  videoId: string;
  title: string;
  durationSeconds: number | null;
}

/** The documents of both kinds as they were stored before. */
interface Document {
  revision: number;
  isPlaying: boolean;
  currentTime: number;
  updatedAt: number;
  controller: string | null;
  currentIndex?: number;
  videoQueue?: Track[];
  videoId?: string | null;
  title?: string;
  durationSeconds?: number | null;
}

interface Tables {
  tunemate_rooms: { room_id: string; document: string };
  audio_room_state: { room_id: string; document: string };
  queue_items: { room_id: string; item: number; track: string };
  idempotency: { at_ms: number; until_ms: number };
}

function tracksOf({ videoQueue, videoId, title = '', durationSeconds = null }: Document): Track[] {
  if (videoQueue) return videoQueue;
  return videoId ? [{ videoId, title, durationSeconds }] : [];
}

async function split(db: Kysely<Tables>, table: 'tunemate_rooms' | 'audio_room_state'): Promise<void> {
  for (const { room_id, document } of await db.selectFrom(table).select(['room_id', 'document']).execute()) {
    const read = JSON.parse(document) as Document;
    const tracks = tracksOf(read);
    for (const [item, { videoId, title, durationSeconds }] of tracks.entries()) {
      const track = JSON.stringify({ videoId, title, durationSeconds });
      await db.insertInto('queue_items').values({ room_id, item, track }).execute();
    }
    const { revision, isPlaying, currentTime, updatedAt, controller, currentIndex = 0 } = read;
    const rest = { revision, isPlaying, currentTime, updatedAt, currentIndex, controller, items: [...tracks.keys()] };
    await db
      .updateTable(table)
      .set({ document: JSON.stringify(rest) })
      .where('room_id', '=', room_id)
      .execute();
  }
}

export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('queue_items')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('item', 'bigint', (column) => column.notNull())
    .addColumn('track', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('queue_items_pk', ['room_id', 'item'])
    .execute();
  await split(db, 'tunemate_rooms');
  await split(db, 'audio_room_state');
  await db.schema.alterTable('idempotency').addColumn('room_id', 'text').execute();
  await db.schema
    .alterTable('idempotency')
    .addColumn('until_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db
    .updateTable('idempotency')
    .set((eb) => ({ until_ms: eb('at_ms', '+', dayMs) }))
    .execute();
  await db.schema.dropIndex('idempotency_age').execute();
  await db.schema.createIndex('idempotency_until').on('idempotency').column('until_ms').execute();
  await db.schema.createIndex('idempotency_room').on('idempotency').column('room_id').execute();
}
