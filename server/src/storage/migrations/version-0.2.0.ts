/**
 * The tables as version 0.2.0 had them, which the first step of a new database makes. A database of before is brought there by
 * `operator/conversion.ts`. Only types that mean the same in SQLite and PostgreSQL: text, integer, bigint.
 */
import { type Kysely, sql, SqliteAdapter } from 'kysely';

/** Of one kind of room. `!` is `not null`. */
const tablesOf = (part: string, playback: string, mates: string): string => `
create table ${part}s (room_id text!, code text!, name text!, host text!, created_at_ms bigint!,
  is_active bigint! default 1, ended_at_ms bigint, host_away_since_ms bigint, empty_since_ms bigint,
  admits text! default 'nobody', offered_to text, offered_until_ms bigint, leaves_when_taken integer! default 0,
  is_locked integer! default 0, everyone_adds integer! default 0, majority_skips integer! default 0,
  is_host_warned integer! default 0, constraint ${part}s_pk primary key (room_id));
create unique index ${part}s_live_code on ${part}s (code) where is_active = 1;
create index ${part}s_code on ${part}s (code, created_at_ms);
create index ${part}s_host on ${part}s (host, is_active);
create table ${part}_participants (room_id text!, uid text!, joined_at_ms bigint!,
  constraint ${part}_participants_pk primary key (room_id, uid));
create index ${part}_participants_uid on ${part}_participants (uid);
create index ${part}_participants_order on ${part}_participants (room_id, joined_at_ms, uid);
create table ${part}_requests (room_id text!, uid text!, name text!, status text!, asked_at_ms bigint!,
  answered_at_ms bigint, times_asked bigint!, renewed_at_ms bigint! default 0,
  constraint ${part}_requests_pk primary key (room_id, uid));
create index ${part}_requests_uid on ${part}_requests (uid);
create index ${part}_requests_pending on ${part}_requests (room_id, renewed_at_ms) where status = 'pending';
create table ${part}_chat (room_id text!, number bigint!, message_id text!, client_id text!, sender text!,
  text text!, timestamp_ms bigint!, is_deleted bigint! default 0,
  constraint ${part}_chat_pk primary key (room_id, number));
create unique index ${part}_chat_message on ${part}_chat (room_id, message_id);
create index ${part}_chat_sender on ${part}_chat (sender, room_id, number);
create index ${part}_chat_client on ${part}_chat (room_id, sender, client_id);
create table ${playback} (room_id text!, revision bigint!, document text!,
  constraint ${playback}_pk primary key (room_id));
create table ${mates} (uid text!, mate text!, added_at_ms bigint!, position bigint!,
  constraint ${mates}_pk primary key (uid, mate));
create index ${mates}_mate on ${mates} (mate);
create table ${part}_stamps (room_id text!, message_id text!, uid text!, stamp text!,
  constraint ${part}_stamps_pk primary key (room_id, message_id, uid, stamp));
create index ${part}_stamps_uid on ${part}_stamps (uid, room_id);`;

const tables = `
create table users (uid text!, name text!, email text, email_verified bigint! default 0, password_hash text!,
  created_at_ms bigint!, soulmate text, online bigint! default 0, presence_changed_at_ms bigint! default 0,
  read_receipts bigint! default 1, deleted_at_ms bigint, shown_changed_at_ms bigint! default 0,
  must_clear integer! default 0, disabled_at_ms bigint, constraint users_pk primary key (uid));
create unique index users_email on users (email);
create index users_shown_changed on users (shown_changed_at_ms);
create table sessions (token_hash text!, session_id text!, uid text!, device text!, created_at_ms bigint!,
  last_seen_at_ms bigint!, constraint sessions_pk primary key (token_hash));
create index sessions_uid on sessions (uid, last_seen_at_ms);
create table action_codes (code_hash text!, uid text!, mode text!, created_at_ms bigint!, used_at_ms bigint,
  name text, password_hash text, constraint action_codes_pk primary key (code_hash));
create index action_codes_uid on action_codes (uid, mode);
create table sign_up_tickets (ticket_hash text!, uid text, created_at_ms bigint!, name text, password_hash text,
  address_hash text, constraint sign_up_tickets_pk primary key (ticket_hash));
create table mails (id text!, recipient text!, subject text!, text text!, html text!, attempts bigint! default 0,
  next_attempt_at_ms bigint!, created_at_ms bigint!, sent_at_ms bigint, constraint mails_pk primary key (id));
create index mails_due on mails (sent_at_ms, next_attempt_at_ms);
create table sign_up_invitations (token_hash text primary key, created_at_ms bigint!, expires_at_ms bigint!,
  uses_left integer!);
create table sign_up_places (uid text primary key, token_hash text!);
create table queue_items (room_id text!, item bigint!, track text!,
  constraint queue_items_pk primary key (room_id, item));
create table room_invitations (room_id text!, uid text!, by_host_at_ms bigint,
  constraint room_invitations_pk primary key (room_id, uid));
create index room_invitations_uid on room_invitations (uid);
create table proposals (room_id text!, proposal_id text!, position bigint!, video_id text!, track text!,
  constraint proposals_pk primary key (proposal_id), constraint proposals_track unique (room_id, video_id));
create table proposal_votes (room_id text!, proposal_id text!, uid text!, position bigint!,
  constraint proposal_votes_pk primary key (proposal_id, uid));
create index proposal_votes_uid on proposal_votes (uid);
create index proposal_votes_room on proposal_votes (room_id);
create table skip_votes (room_id text!, uid text!, constraint skip_votes_pk primary key (room_id, uid));
create table streams (stream text!, head bigint! default 0, at_ms bigint! default 0,
  constraint streams_pk primary key (stream));
create table stream_entries (stream text!, seq bigint!, at_ms bigint!, change text!, expels text,
  constraint stream_entries_pk primary key (stream, seq));
create index stream_entries_age on stream_entries (at_ms);
create table idempotency (uid text!, client_id text!, request_hash text!, answer text!, at_ms bigint!, room_id text,
  until_ms bigint! default 0, constraint idempotency_pk primary key (uid, client_id));
create index idempotency_until on idempotency (until_ms);
create index idempotency_room on idempotency (room_id);
create table processes (process_id text!, seen_at_ms bigint!, constraint processes_pk primary key (process_id));
create table connections (connection_id text!, uid text!, process_id text!, opened_at_ms bigint!, room text,
  grace_until_ms bigint, tab_id text, round_trip_ms integer, constraint connections_pk primary key (connection_id));
create index connections_uid on connections (uid);
create index connections_process on connections (process_id);
create index connections_grace on connections (grace_until_ms) where grace_until_ms is not null;
create index connections_room on connections (room, uid);
create table notifications (id text!, uid text!, type text!, message text!, sender_uid text!, sender_name text!,
  room text, is_read bigint! default 0, timestamp_ms bigint!, room_id text, about text! default '',
  constraint notifications_pk primary key (id));
create index notifications_uid on notifications (uid, timestamp_ms);
create unique index notifications_live on notifications (uid, sender_uid, type, about);
create table blocks (uid text!, blocked text!, at_ms bigint!, constraint blocks_pk primary key (uid, blocked));
create index blocks_blocked on blocks (blocked);
create table private_messages (pair_id text!, number bigint!, client_id text!, sender text!, text text!, image text,
  timestamp_ms bigint!, constraint private_messages_pk primary key (pair_id, number));
create unique index private_messages_client on private_messages (sender, client_id);
create table conversations (uid text!, other text!, pair_id text!, last_number bigint!, last_at_ms bigint!,
  delivered_up_to bigint! default 0, read_up_to bigint! default 0, unread bigint! default 0,
  unanswered bigint! default 0, opened_by_me bigint! default 0, started_at_ms bigint!,
  constraint conversations_pk primary key (uid, pair_id));
create index conversations_newest on conversations (uid, last_at_ms);
create table images (image_id text!, pair_id text!, uploader text!, width bigint!, height bigint!, bytes bigint!,
  created_at_ms bigint!, state text! default 'unsent', constraint images_pk primary key (image_id));
create index images_uploader on images (uploader, image_id);
create index images_state on images (state, created_at_ms);
create table catalogue_cache (key text!, answer text!, at_ms bigint!,
  constraint catalogue_cache_pk primary key (key));
create table search_budget (key text!, used bigint!, expires_at_ms bigint!,
  constraint search_budget_pk primary key (key));
create table push_subscriptions (endpoint text!, uid text!, keys text!, created_at_ms bigint!,
  constraint push_subscriptions_pk primary key (endpoint));
create index push_subscriptions_uid on push_subscriptions (uid);
create table settings (key text!, value text!, constraint settings_pk primary key (key));
create table audit (id text!, at_ms bigint!, uid text, event text!, address text!,
  constraint audit_pk primary key (id));
create index audit_age on audit (at_ms);
create index audit_uid on audit (uid, at_ms);
create table operator_log (id text primary key, at_ms bigint!, operator text!, action text!, subject text!);
create index operator_log_time on operator_log (at_ms, id);
create table reports (id text primary key, at_ms bigint!, reporter text!, reported text!, place text!, text text,
  reason text!, answered_at_ms bigint);
create index reports_time on reports (at_ms);
create index reports_reporter on reports (reporter, at_ms)`;

/**
 * On SQLite an insert of an entry updates the head of its stream in the same statement, and is rejected unless it follows
 * the head, because then the writer knew an older one. PostgreSQL writes both in one statement anyway.
 */
const headWithItsEntry = `create trigger head_with_its_entry after insert on stream_entries begin
  select raise(abort, 'the head of the stream has moved')
  where new.seq <> 1 + coalesce((select head from streams where stream = new.stream), 0);
  insert into streams (stream, head, at_ms) values (new.stream, new.seq, new.at_ms)
  on conflict (stream) do update set head = excluded.head, at_ms = max(at_ms, excluded.at_ms);
end`;

/** A table comes before its indexes. */
export function madeIn020(isSqlite: boolean): string[] {
  const rooms = tablesOf('room', 'tunemate_rooms', 'tunemates');
  const audiorooms = tablesOf('audioroom', 'audio_room_state', 'audio_connections');
  const statements = `${rooms}${audiorooms}${tables}`.replaceAll('!', ' not null').split(';\n');
  return isSqlite ? [...statements, headWithItsEntry] : statements;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of madeIn020(isSqlite)) await sql.raw(statement).execute(db);
}
