/**
 * Migration 0061: a message that is deleted takes its reactions and what was uploaded for it along, in the statement that
 * deletes it.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

const onSqlite = [
  `create trigger private_message_deleted after update of is_deleted on private_messages
    when new.is_deleted = 1 and old.is_deleted = 0 begin
    delete from private_reactions where pair_id = old.pair_id and number = old.number;
    update images set state = 'going'
      where image_id in (json_extract(old.image, '$.imageId'), json_extract(old.voice, '$.voiceId'));
  end`,
];

const onPostgres = [
  `create function private_message_deleted() returns trigger language plpgsql as $$ begin
    delete from private_reactions where pair_id = old.pair_id and number = old.number;
    update images set state = 'going'
      where image_id in (old.image::json ->> 'imageId', old.voice::json ->> 'voiceId');
    return null;
  end $$`,
  `create trigger private_message_deleted after update of is_deleted on private_messages for each row
    when (new.is_deleted = 1 and old.is_deleted = 0) execute function private_message_deleted()`,
];

export async function forgottenWithMessage(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const each of isSqlite ? onSqlite : onPostgres) await sql.raw(each).execute(db);
}
