/** The tables of private chats. */
import { type Generated, sql } from 'kysely';

export interface PrivateMessagesTable {
  pair_id: string;
  number: number;
  client_id: string;
  sender: string;
  /** Empty when it was deleted for both. */
  text: string;
  image: string | null;
  /** The recording of a voice message, as its readers get it. */
  voice: string | null;
  timestamp_ms: number;
  /** The number of the message that it answers. */
  reply_to: number | null;
  edits: Generated<number>;
  /** The client id of the last edit. */
  edit_id: string | null;
  is_deleted: Generated<number>;
  /** Who hid it from themselves: 1 the first person of the pair's id, 2 the second, 3 both. */
  hidden_from: Generated<number>;
  /** The chat's revision when it was changed last: for both, by the first person hiding it, and by the second. */
  revision: Generated<number>;
  hidden_at_1: Generated<number>;
  hidden_at_2: Generated<number>;
  /**
   * What it is found by, as the database of this dialect reads it; empty when it has no words, null while it is not in
   * the index yet. SQLite's triggers and PostgreSQL's index follow it.
   */
  terms: string | null;
  /** When it is deleted for both; null for one that stays. */
  goes_at_ms: Generated<number | null>;
}

/** One person's reactions to one message by `author`, with spaces between; the row stays when they are taken back. */
export interface PrivateReactionsTable {
  pair_id: string;
  number: number;
  uid: string;
  author: string;
  emojis: string;
  revision: number;
  /** The chat's revision when the last one was added; 0 when there is none any more. */
  added: number;
}

/** One row a person a conversation: what the chat list shows without reading messages. */
export interface ConversationsTable {
  uid: string;
  other: string;
  pair_id: string;
  last_number: number;
  last_at_ms: number;
  delivered_up_to: Generated<number>;
  read_up_to: Generated<number>;
  /** Messages of the other person above `read_up_to` that are neither deleted nor hidden. */
  unread: Generated<number>;
  /** The last message that this person has not hidden, 0 when there is none; null while that is the last one. */
  shown_number: number | null;
  /** Reactions up to this revision of the chat were on this person's screen. */
  seen_revision: Generated<number>;
  /** When this person last hid a message or showed one again. */
  hide_revision: Generated<number>;
  /** Messages this person sent since the other last answered; the first-contact rule counts them. */
  unanswered: Generated<number>;
  /** Whether this person wrote first, to someone who was a stranger then. */
  opened_by_me: Generated<number>;
  started_at_ms: number;
  /** What this person made of it, which the other does not see. */
  is_pinned: Generated<number>;
  /** Its messages send no push and no toast. */
  is_muted: Generated<number>;
  is_archived: Generated<number>;
  /** This person deleted it for themselves: messages up to this number are hidden from them. */
  cleared_up_to: Generated<number>;
  /** After how many days its messages go, who set that last, and when: the same for both; null where they stay. */
  goes_after_days: Generated<number | null>;
  timer_set_by: Generated<string | null>;
  timer_set_at_ms: Generated<number | null>;
  /** What this person's messages in it take. */
  sent_bytes: Generated<number>;
}

export interface BlocksTable {
  uid: string;
  blocked: string;
  at_ms: number;
  /** Whether the blocked person received it: then they receive its end as well. */
  is_known: Generated<number>;
}

/** What was uploaded for a chat: a picture, or a recording, which has no size. Both live and are counted alike. */
export interface ImagesTable {
  image_id: string;
  pair_id: string;
  uploader: string;
  width: number;
  height: number;
  bytes: number;
  /** Of a recording: its length and waveform, as JSON. */
  voice: string | null;
  created_at_ms: number;
  /**
   * Reserved while the picture is decoded; an image that is `going` is not served, and its row is deleted after its
   * files.
   */
  state: 'reserved' | 'unsent' | 'sent' | 'going';
  /** Of the message that it was sent with. */
  number: Generated<number | null>;
}

/** Of a person's side of a chat, by its name in a query: the other person has written in it at least once. */
export const isAnswered = (side: string) =>
  sql<boolean>`${sql.ref(`${side}.unanswered`)} < ${sql.ref(`${side}.last_number`)}`;
