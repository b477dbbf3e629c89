/**
 * The first schema. Only types that mean the same in SQLite and PostgreSQL: text, integer, bigint.
 */
import type { Kysely } from 'kysely';

type Columns = Record<string, string>;

/** 'text!' is not null; 'int0!' is not null with default 0. */
async function createTable(db: Kysely<unknown>, name: string, primaryKey: string[], columns: Columns): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, spec] of Object.entries(columns)) {
    const isRequired = spec.endsWith('!');
    const type = spec.startsWith('text') ? 'text' : 'bigint';
    table = table.addColumn(column, type, (c) => {
      const required = isRequired ? c.notNull() : c;
      return spec.startsWith('int0')
        ? required.defaultTo(0)
        : spec.startsWith('int1')
          ? required.defaultTo(1)
          : required;
    });
  }
  await table.addPrimaryKeyConstraint(`${name}_pk`, primaryKey as never).execute();
}

async function createIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: string[],
  unique = false,
): Promise<void> {
  const index = db.schema.createIndex(name).on(table).columns(columns);
  await (unique ? index.unique() : index).execute();
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'users', ['uid'], {
    uid: 'text!',
    name: 'text!',
    email: 'text',
    email_verified: 'int0!',
    password_hash: 'text!',
    created_at_ms: 'int!',
    soulmate: 'text',
    online: 'int0!',
    presence_changed_at_ms: 'int0!',
    read_receipts: 'int1!',
    deleted_at_ms: 'int',
  });
  await createIndex(db, 'users_email', 'users', ['email'], true);
  await createTable(db, 'sessions', ['token_hash'], {
    token_hash: 'text!',
    session_id: 'text!',
    uid: 'text!',
    device: 'text!',
    created_at_ms: 'int!',
    last_seen_at_ms: 'int!',
  });
  await createIndex(db, 'sessions_uid', 'sessions', ['uid', 'last_seen_at_ms']);
  await createTable(db, 'action_codes', ['code_hash'], {
    code_hash: 'text!',
    uid: 'text!',
    mode: 'text!',
    created_at_ms: 'int!',
    used_at_ms: 'int',
  });
  await createIndex(db, 'action_codes_uid', 'action_codes', ['uid', 'mode']);
  await createTable(db, 'sign_up_tickets', ['ticket_hash'], {
    ticket_hash: 'text!',
    uid: 'text',
    created_at_ms: 'int!',
  });
  await createTable(db, 'mails', ['id'], {
    id: 'text!',
    recipient: 'text!',
    subject: 'text!',
    text: 'text!',
    html: 'text!',
    attempts: 'int0!',
    next_attempt_at_ms: 'int!',
    created_at_ms: 'int!',
    sent_at_ms: 'int',
  });
  await createIndex(db, 'mails_due', 'mails', ['sent_at_ms', 'next_attempt_at_ms']);
}

async function createKind(db: Kysely<unknown>, room: string, playback: string, list: string): Promise<void> {
  const part = room.slice(0, -1);
  await createTable(db, room, ['room_id'], {
    room_id: 'text!',
    code: 'text!',
    name: 'text!',
    host: 'text!',
    created_at_ms: 'int!',
    is_active: 'int1!',
    ended_at_ms: 'int',
    host_away_since_ms: 'int',
    empty_since_ms: 'int',
  });
  // A code names one live room; an ended room keeps its code only for its former members.
  await db.schema
    .createIndex(`${room}_live_code`)
    .on(room)
    .column('code')
    .where('is_active' as never, '=', 1 as never)
    .unique()
    .execute();
  await createIndex(db, `${room}_code`, room, ['code', 'created_at_ms']);
  await createIndex(db, `${room}_host`, room, ['host', 'is_active']);
  await createTable(db, `${part}_participants`, ['room_id', 'uid'], {
    room_id: 'text!',
    uid: 'text!',
    joined_at_ms: 'int!',
  });
  await createIndex(db, `${part}_participants_uid`, `${part}_participants`, ['uid']);
  await createTable(db, `${part}_requests`, ['room_id', 'uid'], {
    room_id: 'text!',
    uid: 'text!',
    name: 'text!',
    status: 'text!',
    asked_at_ms: 'int!',
    answered_at_ms: 'int',
    times_asked: 'int!',
  });
  await createIndex(db, `${part}_requests_uid`, `${part}_requests`, ['uid']);
  await createTable(db, `${part}_chat`, ['room_id', 'number'], {
    room_id: 'text!',
    number: 'int!',
    message_id: 'text!',
    client_id: 'text!',
    sender: 'text!',
    text: 'text!',
    timestamp_ms: 'int!',
  });
  await createIndex(db, `${part}_chat_message`, `${part}_chat`, ['room_id', 'message_id'], true);
  await createTable(db, playback, ['room_id'], { room_id: 'text!', revision: 'int!', document: 'text!' });
  await createTable(db, list, ['uid', 'mate'], { uid: 'text!', mate: 'text!', added_at_ms: 'int!', position: 'int!' });
  await createIndex(db, `${list}_mate`, list, ['mate']);
}

async function createRecord(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'streams', ['stream'], { stream: 'text!', head: 'int0!' });
  await createTable(db, 'stream_entries', ['stream', 'seq'], {
    stream: 'text!',
    seq: 'int!',
    at_ms: 'int!',
    change: 'text!',
    expels: 'text',
  });
  await createIndex(db, 'stream_entries_age', 'stream_entries', ['at_ms']);
  await createTable(db, 'idempotency', ['uid', 'client_id'], {
    uid: 'text!',
    client_id: 'text!',
    request_hash: 'text!',
    answer: 'text!',
    at_ms: 'int!',
  });
  await createIndex(db, 'idempotency_age', 'idempotency', ['at_ms']);
  await createTable(db, 'processes', ['process_id'], { process_id: 'text!', seen_at_ms: 'int!' });
  await createTable(db, 'connections', ['connection_id'], {
    connection_id: 'text!',
    uid: 'text!',
    process_id: 'text!',
    opened_at_ms: 'int!',
    room: 'text',
    lingers_until_ms: 'int',
  });
  await createIndex(db, 'connections_uid', 'connections', ['uid']);
  await createIndex(db, 'connections_room', 'connections', ['room']);
  await createIndex(db, 'connections_process', 'connections', ['process_id']);
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'notifications', ['id'], {
    id: 'text!',
    uid: 'text!',
    type: 'text!',
    message: 'text!',
    sender_uid: 'text!',
    sender_name: 'text!',
    room: 'text',
    is_read: 'int0!',
    timestamp_ms: 'int!',
  });
  await createIndex(db, 'notifications_uid', 'notifications', ['uid', 'timestamp_ms']);
  await createIndex(db, 'notifications_live', 'notifications', ['uid', 'sender_uid', 'type'], true);
  await createTable(db, 'blocks', ['uid', 'blocked'], { uid: 'text!', blocked: 'text!', at_ms: 'int!' });
  await createTable(db, 'private_messages', ['pair_id', 'number'], {
    pair_id: 'text!',
    number: 'int!',
    client_id: 'text!',
    sender: 'text!',
    text: 'text!',
    image: 'text',
    timestamp_ms: 'int!',
  });
  // The client id of a message is kept for ever: an outbox that is sent again after a week adds nothing twice.
  await createIndex(db, 'private_messages_client', 'private_messages', ['sender', 'client_id'], true);
  await createTable(db, 'conversations', ['uid', 'pair_id'], {
    uid: 'text!',
    other: 'text!',
    pair_id: 'text!',
    last_number: 'int!',
    last_at_ms: 'int!',
    delivered_up_to: 'int0!',
    read_up_to: 'int0!',
    unread: 'int0!',
    unanswered: 'int0!',
    opened_by_me: 'int0!',
    started_at_ms: 'int!',
  });
  await createIndex(db, 'conversations_newest', 'conversations', ['uid', 'last_at_ms']);
  await createTable(db, 'images', ['image_id'], {
    image_id: 'text!',
    pair_id: 'text!',
    uploader: 'text!',
    width: 'int!',
    height: 'int!',
    bytes: 'int!',
    created_at_ms: 'int!',
    attached: 'int0!',
  });
  await createIndex(db, 'images_pending', 'images', ['uploader', 'attached']);
}

async function createRest(db: Kysely<unknown>): Promise<void> {
  await createTable(db, 'catalogue_cache', ['key'], { key: 'text!', answer: 'text!', at_ms: 'int!' });
  await createTable(db, 'search_budget', ['key'], { key: 'text!', used: 'int!', expires_at_ms: 'int!' });
  await createTable(db, 'push_subscriptions', ['endpoint'], {
    endpoint: 'text!',
    uid: 'text!',
    keys: 'text!',
    created_at_ms: 'int!',
  });
  await createIndex(db, 'push_subscriptions_uid', 'push_subscriptions', ['uid']);
  await createTable(db, 'settings', ['key'], { key: 'text!', value: 'text!' });
  await createTable(db, 'audit', ['id'], { id: 'text!', at_ms: 'int!', uid: 'text', event: 'text!', address: 'text!' });
  await createIndex(db, 'audit_age', 'audit', ['at_ms']);
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db);
  await createKind(db, 'rooms', 'tunemate_rooms', 'tunemates');
  await createKind(db, 'audiorooms', 'audio_room_state', 'audio_connections');
  await createRecord(db);
  await createPeople(db);
  await createRest(db);
}
