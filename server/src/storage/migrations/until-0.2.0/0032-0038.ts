/**
 * Migrations 0032 to 0038: sign-ups, grace periods, and indexes and a trigger for frequent statements.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Adds the invitation link of an unverified sign-up: the link loses a use once the address is verified. */
export async function signUpPlaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_up_places')
    .addColumn('uid', 'text', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .execute();
}

/** Renames the end of a connection's grace period, and its index. */
export async function gracePeriod(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('connections_lingers').execute();
  await db.schema.alterTable('connections').renameColumn('lingers_until_ms', 'grace_until_ms').execute();
  await db.schema
    .createIndex('connections_grace')
    .on('connections')
    .column('grace_until_ms')
    .where('grace_until_ms' as never, 'is not', null as never)
    .execute();
}

/**
 * Adds an index to find a room's message by its client id. The message itself now answers a repeated request, so the
 * stored answers are deleted: they would outlive the text of a message that the host deletes.
 */
export async function clientIdOfRoomMessage(db: Kysely<unknown>): Promise<void> {
  for (const chat of ['room_chat', 'audioroom_chat']) {
    await db.schema.createIndex(`${chat}_client`).on(chat).columns(['room_id', 'sender', 'client_id']).execute();
  }
  await sql`delete from idempotency where room_id is not null and answer like '{"message":%'`.execute(db);
}

/** Adds an index to count the pending requests of a room without reading all earlier ones. */
export async function pendingRequests(db: Kysely<unknown>): Promise<void> {
  for (const requests of ['room_requests', 'audioroom_requests']) {
    await db.schema
      .createIndex(`${requests}_pending`)
      .on(requests)
      .columns(['room_id', 'renewed_at_ms'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute();
  }
}

/** Extends the index of a room's connections by the person, to find one without reading all. */
export async function peopleInARoom(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('connections_room').execute();
  await db.schema.createIndex('connections_room').on('connections').columns(['room', 'uid']).execute();
}

/**
 * Adds a trigger on SQLite: an insert of an entry updates the head of its stream in the same statement, and is rejected
 * unless it follows the head, because then the writer knew an older one. PostgreSQL writes both in one statement anyway.
 */
export async function headWithItsEntry(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await sql`
    create trigger head_with_its_entry after insert on stream_entries begin
      select raise(abort, 'the head of the stream has moved')
      where new.seq <> 1 + coalesce((select head from streams where stream = new.stream), 0);
      insert into streams (stream, head, at_ms) values (new.stream, new.seq, new.at_ms)
      on conflict (stream) do update set head = excluded.head, at_ms = max(at_ms, excluded.at_ms);
    end`.execute(db);
}

/** Adds the hash by which the mails of a sign-up ticket are counted: one per address, known or not. */
export async function addressOfTicket(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sign_up_tickets').addColumn('address_hash', 'text').execute();
}
