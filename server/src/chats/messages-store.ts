/**
 * Reads and writes private messages. What one person sees of a message depends on what they hid from themselves, so a
 * message is read for a reader.
 */
import { blanked, quoteOf, termsOf } from '@tunemate/domain';
import {
  type ClientId,
  limits,
  type PairId,
  type PrivateMessage,
  type Quote,
  type Reaction,
  type Uid,
} from '@tunemate/protocol';
import { type Selectable, sql } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inPages, inParts, pageSize, withinBytes } from '../storage/pages.ts';
import { isSqlite } from '../storage/queries.ts';
import type { PrivateMessagesTable } from '../storage/tables/chat-tables.ts';
import type { Db } from '../storage/schema.ts';

export const ownColumns = [
  'pair_id',
  'number',
  'client_id',
  'sender',
  'text',
  'image',
  'voice',
  'timestamp_ms',
  'edits',
  'edit_id',
  'is_deleted',
  'hidden_from',
  'revision',
  'hidden_at_1',
  'hidden_at_2',
] as const;
/** Of `named`: the message that another one answers. */
export const namedColumns = [
  'named.number as named_number',
  'named.client_id as named_client_id',
  'named.sender as named_sender',
  'named.text as named_text',
  'named.image as named_image',
  'named.voice as named_voice',
  'named.is_deleted as named_is_deleted',
  'named.hidden_from as named_hidden_from',
] as const;

/** Of `it`, and of the message that it answers. */
export const messageColumns = [...ownColumns.map((column) => `it.${column}` as const), ...namedColumns] as const;

type Own = Pick<Selectable<PrivateMessagesTable>, (typeof ownColumns)[number]>;
interface Named {
  named_number: number | null;
  named_client_id: string | null;
  named_sender: string | null;
  named_text: string | null;
  named_image: string | null;
  named_voice: string | null;
  named_is_deleted: number | null;
  named_hidden_from: number | null;
}
/** A message as stored, with the one that it answers, and where the part begins that its reader has not deleted. */
export type StoredMessage = Own & Partial<Named> & { cleared_up_to?: number };

/** What a row holds of the message that is answered. */
export const namedIn = (row: Named): Named => ({
  named_number: row.named_number,
  named_client_id: row.named_client_id,
  named_sender: row.named_sender,
  named_text: row.named_text,
  named_image: row.named_image,
  named_voice: row.named_voice,
  named_is_deleted: row.named_is_deleted,
  named_hidden_from: row.named_hidden_from,
});

export const messagesIn = (db: Db) =>
  db
    .selectFrom('private_messages as it')
    .leftJoin('private_messages as named', (join) =>
      join.onRef('named.pair_id', '=', 'it.pair_id').onRef('named.number', '=', 'it.reply_to'),
    );

/** Those that this reader has not deleted with the whole chat. */
const readBy = (db: Db, reader: Uid, pairId: PairId) =>
  messagesIn(db)
    .innerJoin('conversations as own', 'own.pair_id', 'it.pair_id')
    .select(messageColumns)
    .select('own.cleared_up_to')
    .where('own.uid', '=', reader)
    .where('it.pair_id', '=', pairId)
    .whereRef('it.number', '>', 'own.cleared_up_to');

/** What stands for this person in `hidden_from`. */
export const bitOf = (pairId: string, uid: Uid): number => (pairId.startsWith(`${uid}_`) ? 1 : 2);

/** The column with when the person of this bit hid a message. */
export const hiddenAt = (bit: number) => (bit === 1 ? 'hidden_at_1' : 'hidden_at_2');

/** The reactions of one person to one message. */
export interface Reacted {
  number: number;
  uid: Uid;
  emojis: string;
  revision: number;
}

export function seenBy(reader: Uid, row: StoredMessage, reacted: readonly Reacted[] = []): PrivateMessage {
  const bit = bitOf(row.pair_id, reader);
  const message: PrivateMessage = {
    pairId: row.pair_id as PairId,
    number: row.number,
    clientId: row.client_id as ClientId,
    sender: row.sender as Uid,
    text: row.text,
    image: imageOf(row.image),
    ...voiceOf(row.voice),
    timestamp: row.timestamp_ms,
    reply: namedBy(row, bit),
    edits: row.edits,
    state: 'shown',
    reactions: reacted.flatMap(reactionsOf),
    // That the other person hid it must not show.
    revision: Math.max(row.revision, row[hiddenAt(bit)], ...reacted.map(({ revision }) => revision)),
  };
  if ((row.hidden_from & bit) !== 0 || row.number <= (row.cleared_up_to ?? 0)) return blanked(message, 'hidden');
  return row.is_deleted === 1 ? blanked(message, 'deleted') : message;
}

const imageOf = (image: string | null): PrivateMessage['image'] =>
  image === null ? null : (JSON.parse(image) as PrivateMessage['image']);

const voiceOf = (voice: string | null): Pick<PrivateMessage, 'voice'> =>
  voice === null ? {} : { voice: JSON.parse(voice) as NonNullable<PrivateMessage['voice']> };

export const emojisIn = (emojis: string): string[] => emojis.split(' ').filter((each) => each !== '');

const reactionsOf = ({ uid, emojis }: Reacted): Reaction[] => emojisIn(emojis).map((emoji) => ({ uid, emoji }));

function namedBy(row: StoredMessage, bit: number): Quote | null {
  const { named_number: number, named_client_id: clientId, named_sender: sender } = row;
  if (!number || !clientId || !sender) return null;
  const isGone =
    number <= (row.cleared_up_to ?? 0) || row.named_is_deleted === 1 || ((row.named_hidden_from ?? 0) & bit) !== 0;
  return quoteOf({
    number,
    clientId: clientId as ClientId,
    sender: sender as Uid,
    text: row.named_text ?? '',
    image: imageOf(row.named_image ?? null),
    ...voiceOf(row.named_voice ?? null),
    state: isGone ? 'deleted' : 'shown',
  });
}

/** About what a message weighs in an answer. */
export const bytesOfMessage = ({ text, reply, voice, reactions }: PrivateMessage): number => {
  const words = [text, ...(reply ? [reply.text] : []), ...(voice ? [''] : [])];
  const around = 300 * words.length + 60 * reactions.length;
  return around + Buffer.byteLength([...words, ...reactions.map(({ emoji }) => emoji)].join(''));
};

/** The rows as this reader sees them, with the reactions to them. */
async function withReactions(
  db: Db,
  reader: Uid,
  pairId: PairId,
  rows: readonly StoredMessage[],
): Promise<PrivateMessage[]> {
  if (rows.length === 0) return [];
  const numbers = rows.map(({ number }) => number);
  const reacted = await db
    .selectFrom('private_reactions')
    .select(['number', 'uid', 'emojis', 'revision'])
    .where('pair_id', '=', pairId)
    .where('number', '>=', Math.min(...numbers))
    .where('number', '<=', Math.max(...numbers))
    .orderBy('uid')
    .execute();
  return rows.map((row) =>
    seenBy(
      reader,
      row,
      (reacted as Reacted[]).filter(({ number }) => number === row.number),
    ),
  );
}

/** What a message is stored with; what is done to it comes later. */
export type NewMessage = Omit<PrivateMessage, 'reply' | 'edits' | 'state' | 'reactions' | 'revision'> &
  Partial<Pick<PrivateMessage, 'reply'>>;

/** The row of a new message. */
export const rowOf = (db: Db, message: NewMessage, goesAtMs: number | null) => ({
  pair_id: message.pairId,
  number: message.number,
  client_id: message.clientId,
  sender: message.sender,
  text: message.text,
  image: message.image === null ? null : JSON.stringify(message.image),
  voice: message.voice ? JSON.stringify(message.voice) : null,
  timestamp_ms: message.timestamp,
  reply_to: message.reply?.number ?? null,
  terms: storedTerms(db, message.pairId, message.text),
  goes_at_ms: goesAtMs,
});

interface MessagePage {
  /** Oldest first. */
  messages: PrivateMessage[];
  hasEarlierMessages: boolean;
}

/** Some messages before the one that a page goes to are on the screen with it. */
const aboveGoal = 20;

/** The latest page of messages with a number below `before`; the very latest without it. */
export async function messagesBefore(
  db: Db,
  reader: Uid,
  pairId: PairId,
  before?: number,
  downTo?: number,
): Promise<MessagePage> {
  const wanted = before === undefined || downTo === undefined ? 0 : before - downTo + aboveGoal;
  const most = Math.min(Math.max(wanted, limits.chatPage), limits.longChatPage);
  let clearedUpTo = 0;
  const { rows } = await inParts<PrivateMessage>({
    most,
    partSize: limits.chatPage,
    read: async (last, count) => {
      const upTo = last?.number ?? before;
      const query = readBy(db, reader, pairId).orderBy('it.number', 'desc').limit(count);
      const found = await (upTo === undefined ? query : query.where('it.number', '<', upTo)).execute();
      clearedUpTo = found[0]?.cleared_up_to ?? clearedUpTo;
      return await withReactions(db, reader, pairId, found);
    },
    bytesOf: bytesOfMessage,
  });
  const first = rows.at(-1);
  return { messages: rows.toReversed(), hasEarlierMessages: first !== undefined && first.number > clearedUpTo + 1 };
}

/** Of the messages below `before`, those that changed after this revision; null when there are too many. */
export async function changedSince(
  db: Db,
  reader: Uid,
  pairId: PairId,
  { since, before }: { since: number; before: number },
): Promise<PrivateMessage[] | null> {
  const side = db.selectFrom('conversations').where('uid', '=', reader).where('pair_id', '=', pairId);
  // One more than is answered, so that a chat in which everything changed is not read through.
  const most = limits.changedMessages + 1;
  const changedIn = (column: 'revision' | 'hidden_at_1' | 'hidden_at_2') =>
    db
      .selectFrom('private_messages')
      .select('number')
      .where('pair_id', '=', pairId)
      .where('number', '<', before)
      .where('number', '>', side.select('cleared_up_to'))
      .where(column, '>', since)
      // For the index, which has no others.
      .where(column, '>', 0)
      .limit(most);
  const reacted = db
    .selectFrom('private_reactions')
    .select('number')
    .where('pair_id', '=', pairId)
    .where('number', '<', before)
    .where('number', '>', side.select('cleared_up_to'))
    .where('revision', '>', since)
    // A message has a row of each of the two.
    .limit(2 * most);
  const numbers = db
    .selectFrom(changedIn('revision').as('changed'))
    .select('number')
    .union(db.selectFrom(changedIn(hiddenAt(bitOf(pairId, reader))).as('hidden')).select('number'))
    .union(db.selectFrom(reacted.as('reacted')).select('number'));
  const rows = await readBy(db, reader, pairId)
    .where('it.number', '<', before)
    .where('it.number', 'in', numbers)
    .orderBy('it.number')
    .limit(limits.changedMessages + 1)
    .execute();
  if (rows.length > limits.changedMessages) return null;
  const messages = await withReactions(db, reader, pairId, rows);
  return withinBytes(messages, bytesOfMessage).rows.length < messages.length ? null : messages;
}

/** Of the last change to any message of the chat that this reader may know of; 0 without one. */
export async function revisionOf(db: Db, reader: Uid, pairId: PairId): Promise<number> {
  const row = await db
    .selectNoFrom((of) => [
      latestIn('private_messages', pairId).as('message'),
      latestIn('private_reactions', pairId).as('reaction'),
      of
        .selectFrom('conversations')
        .select('hide_revision')
        .where('uid', '=', reader)
        .where('pair_id', '=', pairId)
        .as('hidden'),
    ])
    .executeTakeFirstOrThrow();
  return Math.max(row.message ?? 0, row.reaction ?? 0, row.hidden ?? 0);
}

export const latestIn = (table: 'private_messages' | 'private_reactions', pairId: PairId) =>
  sql<number | null>`(select max(revision) from ${sql.table(table)} where pair_id = ${pairId} and revision > 0)`;

/** Oldest first, a page at a time, as this reader sees them. */
export function allMessages(db: Db, reader: Uid, pairId: PairId): AsyncIterable<PrivateMessage> {
  return inPages<PrivateMessage>(async (last) => {
    const rows = await readBy(db, reader, pairId)
      .where('it.number', '>', last?.number ?? 0)
      .orderBy('it.number')
      .limit(pageSize)
      .execute();
    return await withReactions(db, reader, pairId, rows);
  });
}

export async function messageNumbered(
  db: Db,
  reader: Uid,
  pairId: PairId,
  number: number,
): Promise<PrivateMessage | null> {
  const rows = await readBy(db, reader, pairId).where('it.number', '=', number).execute();
  const [message] = await withReactions(db, reader, pairId, rows);
  return message ?? null;
}

const numbersAtOnce = 2000;

/** Of the messages up to `last` that this reader sees, the number of the first one of this time or later. */
export async function firstSince(
  db: Db,
  reader: Uid,
  pairId: PairId,
  { last, sinceMs }: { last: number; sinceMs: number },
): Promise<number | null> {
  const timeOf = (number: number) =>
    db
      .selectFrom('private_messages')
      .select('timestamp_ms')
      .where('pair_id', '=', pairId)
      .where('number', '=', number)
      .executeTakeFirst();
  // Times rise with the numbers, and numbers have no gaps: about twenty steps in a million messages.
  let [from, to] = [1, last + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = await timeOf(middle);
    if (found !== undefined && found.timestamp_ms >= sinceMs) to = middle;
    else from = middle + 1;
  }
  // Very many may be hidden: others are served meanwhile.
  for (; from <= last; from += numbersAtOnce) {
    const row = await readBy(db, reader, pairId)
      .where('it.number', '>=', from)
      .where('it.number', '<', from + numbersAtOnce)
      .where(sql<number>`it.hidden_from & ${bitOf(pairId, reader)}`, '=', 0)
      .orderBy('it.number')
      .limit(1)
      .executeTakeFirst();
    if (row) return row.number;
    await nextTurn();
  }
  return null;
}

/** Deletes the oldest messages of a conversation. False when none are left. */
export async function deleteSomeMessages(db: Db, pairId: PairId, most: number): Promise<boolean> {
  const messages = db.selectFrom('private_messages').select('number').where('pair_id', '=', pairId);
  const oldest = await messages.orderBy('number').limit(most).execute();
  const last = oldest.at(-1);
  if (last === undefined) return false;
  for (const table of ['private_reactions', 'private_messages'] as const) {
    await db.deleteFrom(table).where('pair_id', '=', pairId).where('number', '<=', last.number).execute();
  }
  return oldest.length === most;
}

/** What a person's terms begin with. Others may share it. */
export const scopeOf = (uid: string): string => uid.slice(-8);
export const peopleIn = (pairId: string): [Uid, Uid] => pairId.split('_') as [Uid, Uid];

/** What is stored of a text so that it is found. */
export function storedTerms(db: Db, pairId: string, text: string): string {
  const terms = termsOf(text);
  // A trigger adds the people.
  if (isSqlite(db)) return terms.map((term) => ` ${term}`).join('');
  return peopleIn(pairId)
    .flatMap((uid) => terms.map((term) => `'${scopeOf(uid)}${term}'`))
    .join(' ');
}
