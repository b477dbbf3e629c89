/**
 * On SQLite an entry moves the head of its stream with it, so that both are one statement. An entry that does not follow
 * the head is refused: the writer knew an older one. PostgreSQL writes both in one statement by itself.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await sql`
    create trigger head_with_its_entry after insert on stream_entries begin
      select raise(abort, 'the head of the stream has moved')
      where new.seq <> 1 + coalesce((select head from streams where stream = new.stream), 0);
      insert into streams (stream, head, at_ms) values (new.stream, new.seq, new.at_ms)
      on conflict (stream) do update set head = excluded.head, at_ms = max(at_ms, excluded.at_ms);
    end`.execute(db);
}
