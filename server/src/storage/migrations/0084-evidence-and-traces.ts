/**
 * Migration 0084: the words of before a message was changed or deleted, the upload that a report is about, and the message
 * that an upload belongs to.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Of one message: an edit that goes on for its quarter of an hour would store more and more. */
const mostOfMessage = 50;
const isTaken = `old.is_deleted = 0 and old.edits <= ${String(mostOfMessage)}
  and (new.is_deleted = 1 or new.text <> old.text)`;
const keep = 'insert into earlier_words (place, message, sender, text, edits, at_ms) ';
/** What the other of the two has received. A message that goes by the timer of the chat leaves nothing. */
const keepPrivate = `${keep} select old.pair_id, cast(old.number as text), old.sender,
  case when old.voice is not null then '(a voice message)'
    when old.image is not null then '(a picture) ' || old.text else old.text end, old.edits, new.revision
  from conversations where uid in (substr(old.pair_id, 1, 22), substr(old.pair_id, 24)) and uid <> old.sender
  and pair_id = old.pair_id and delivered_up_to >= old.number;`;
const keepOfRoom = `${keep} values (old.room_id, old.message_id, old.sender, old.text, old.edits, old.timestamp_ms);`;
const keptOf = [
  ['private_messages', `${isTaken} and new.hidden_from <> 3`, keepPrivate],
  ['audioroom_chat', isTaken, keepOfRoom],
  ['room_chat', isTaken, keepOfRoom],
] as const;

/** In the statement that changes or deletes the message. */
function keepingTriggers(isSqlite: boolean): string[] {
  return keptOf.flatMap(([table, when, statement]) => {
    const head = `create trigger ${table}_taken_back after update of text on ${table}`;
    if (isSqlite) return [`${head} when ${when} begin ${statement} end`];
    return [
      `create function ${table}_taken_back() returns trigger language plpgsql as $$ begin ${statement} return null; end $$`,
      `${head} for each row when (${when}) execute function ${table}_taken_back()`,
    ];
  });
}

export async function evidenceAndTraces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('earlier_words')
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('edits', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('earlier_words_of').on('earlier_words').columns(['place', 'message']).execute();
  await db.schema.createIndex('earlier_words_time').on('earlier_words').column('at_ms').execute();
  await db.schema.alterTable('reports').addColumn('upload_id', 'text').execute();
  await db.schema.createIndex('reports_upload').on('reports').column('upload_id').execute();
  await sql`create index private_messages_hidden on private_messages (pair_id, number)
    where hidden_from > 0 and is_deleted = 0`.execute(db);
  await db.schema.alterTable('images').addColumn('number', 'integer').execute();
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const each of keepingTriggers(isSqlite)) await sql.raw(each).execute(db);
  for (const [column, key] of [
    ['image', 'imageId'],
    ['voice', 'voiceId'],
  ] as const) {
    const id = isSqlite
      ? sql`json_extract(message.${sql.ref(column)}, ${sql.lit(`$.${key}`)})`
      : sql`message.${sql.ref(column)}::json ->> ${sql.lit(key)}`;
    await sql`update images set number = message.number from private_messages as message
      where message.${sql.ref(column)} is not null and images.image_id = ${id}`.execute(db);
  }
}
