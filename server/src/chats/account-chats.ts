/**
 * Exports an account's messages and uploads, a page at a time, and deletes the conversations of which
 * both accounts are deleted.
 */
import { readPairId } from '@tunemate/domain';
import { type ChatArrangement, type PairId, type PrivateMessage, type Uid, userStream } from '@tunemate/protocol';
import { pageSize } from '../storage/pages.ts';
import { peopleOf, shownName } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { arrangedSidesOf, deleteSides, type Ended, endedConversations } from './chats-store.ts';
import { allMessages, deleteSomeMessages } from './messages-store.ts';
import { giveUpUploadsOf, uploadsOf } from './uploads/uploads-store.ts';

interface ExportedMessage {
  sender: Uid;
  senderName: string;
  text: string;
  /** The addresses work for the two users of the chat while they are signed in. */
  image: (NonNullable<PrivateMessage['image']> & { address: string }) | null;
  voice: (NonNullable<PrivateMessage['voice']> & { address: string }) | null;
  timestamp: number;
  isEdited: boolean;
  isDeleted: boolean;
  /** The message that it answers. */
  reply: { sender: Uid; text: string } | null;
  reactions: PrivateMessage['reactions'];
}

interface ExportedChat {
  with: { uid: Uid; name: string };
  /** The number of the last message read. */
  readUpTo: number;
  arranged: ChatArrangement;
  /** Oldest first. */
  messages: AsyncIterable<ExportedMessage>;
}

const addressOf = (origin: string, imageId: string) => `${origin}/api/chats/images/${imageId}`;
const voiceAddressOf = (origin: string, voiceId: string) => `${origin}/api/chats/voices/${voiceId}`;

export async function* ownChats(db: Db, uid: Uid, origin: string): AsyncGenerator<ExportedChat> {
  for await (const { other, pairId, readUpTo, arranged } of arrangedSidesOf(db, uid)) {
    const people = await peopleOf(db, [uid, other]);
    const nameOf = (each: Uid) => shownName(people.get(each)?.name);
    yield {
      with: { uid: other, name: nameOf(other) },
      readUpTo,
      arranged,
      messages: messagesOf(db, uid, pairId, { nameOf, origin }),
    };
  }
}

/** Without those that this person has hidden. */
async function* messagesOf(
  db: Db,
  reader: Uid,
  pairId: PairId,
  { nameOf, origin }: { nameOf: (uid: Uid) => string; origin: string },
): AsyncGenerator<ExportedMessage> {
  for await (const { sender, text, image, voice, timestamp, edits, state, reply, reactions } of allMessages(
    db,
    reader,
    pairId,
  )) {
    if (state === 'hidden') continue;
    const shown = image && { ...image, address: addressOf(origin, image.imageId) };
    const heard = voice ? { ...voice, address: voiceAddressOf(origin, voice.voiceId) } : null;
    const changes = { isEdited: edits > 0, isDeleted: state === 'deleted', reactions };
    const named = reply && { sender: reply.sender, text: reply.text };
    yield { sender, senderName: nameOf(sender), text, image: shown, voice: heard, timestamp, ...changes, reply: named };
  }
}

/** Sent or not. */
export async function* ownPhotos(db: Db, uid: Uid, origin: string): AsyncGenerator<object> {
  for await (const { image_id: imageId, pair_id, width, height, bytes, state, created_at_ms } of uploadsOf(
    db,
    'image',
    uid,
  )) {
    const to = readPairId(pair_id, uid)?.other ?? null;
    const address = addressOf(origin, imageId);
    yield { imageId, to, isSent: state === 'sent', width, height, bytes, uploadedAt: created_at_ms, address };
  }
}

/** Sent or not. */
export async function* ownVoices(db: Db, uid: Uid, origin: string): AsyncGenerator<object> {
  for await (const { image_id: voiceId, pair_id, voice, bytes, state, created_at_ms } of uploadsOf(db, 'voice', uid)) {
    const to = readPairId(pair_id, uid)?.other ?? null;
    const { durationMs } = JSON.parse(voice ?? '{}') as { durationMs?: number };
    const address = voiceAddressOf(origin, voiceId);
    yield { voiceId, to, isSent: state === 'sent', durationMs, bytes, uploadedAt: created_at_ms, address };
  }
}

/** Only marks the pictures: the next sweep of images deletes their files. Processes may run this concurrently. */
export async function forgetEndedChats(record: StreamRecord): Promise<void> {
  for (;;) {
    const ended = await endedConversations(record.db, pageSize);
    for (const conversation of ended) await forgetChat(record, conversation);
    if (ended.length < pageSize) return;
  }
}

/** Deletes the conversation's rows last, so that an interrupted deletion is found again. */
async function forgetChat(record: StreamRecord, { pairId, people }: Ended): Promise<void> {
  const streams = people.map((uid) => userStream(uid));
  // One write per page, so that other writes can run in between.
  for (let hasMore = true; hasMore;) {
    hasMore = await record.write(streams, ({ db }) => deleteSomeMessages(db, pairId, pageSize));
  }
  await record.write(streams, async ({ db }) => {
    await giveUpUploadsOf(db, pairId, people);
    await deleteSides(db, pairId, people);
  });
}
