/**
 * What chats store of one person, for the export of their data: private messages sent and received, uploaded pictures,
 * and blocks. Read only, a page at a time.
 */
import { readPairId } from '@tunemate/domain';
import type { PairId, PrivateMessage, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { peopleOf, shownName } from '../storage/people.ts';
import type { Schema } from '../storage/schema.ts';
import { allBlockedBy } from '../people/blocks.ts';
import { sidesOf } from './conversations-store.ts';
import { imagesOf } from './pictures/images-store.ts';
import { allMessages } from './messages-store.ts';

type Db = Kysely<Schema>;

interface ExportedMessage {
  sender: Uid;
  senderName: string;
  text: string;
  /** The address works for the two people of the chat while they are signed in. */
  image: (NonNullable<PrivateMessage['image']> & { address: string }) | null;
  timestamp: number;
}

interface ExportedChat {
  with: { uid: Uid; name: string };
  /** The number of the last message that was read. */
  readUpTo: number;
  /** Oldest first. */
  messages: AsyncIterable<ExportedMessage>;
}

const addressOf = (origin: string, imageId: string) => `${origin}/api/chats/images/${imageId}`;

/** All conversations of this person, whole. */
export async function* ownChats(db: Db, uid: Uid, origin: string): AsyncGenerator<ExportedChat> {
  for await (const { other, pairId, readUpTo } of sidesOf(db, uid)) {
    const people = await peopleOf(db, [uid, other]);
    const nameOf = (each: Uid) => shownName(people.get(each)?.name);
    yield { with: { uid: other, name: nameOf(other) }, readUpTo, messages: messagesOf(db, pairId, nameOf, origin) };
  }
}

async function* messagesOf(
  db: Db,
  pairId: PairId,
  nameOf: (uid: Uid) => string,
  origin: string,
): AsyncGenerator<ExportedMessage> {
  for await (const { sender, text, image, timestamp } of allMessages(db, pairId)) {
    const shown = image && { ...image, address: addressOf(origin, image.imageId) };
    yield { sender, senderName: nameOf(sender), text, image: shown, timestamp };
  }
}

/** The pictures that this person uploaded, sent or not. */
export async function* ownPhotos(db: Db, uid: Uid, origin: string): AsyncGenerator<object> {
  for await (const { image_id: imageId, pair_id, width, height, bytes, state, created_at_ms } of imagesOf(db, uid)) {
    const to = readPairId(pair_id, uid)?.other ?? null;
    const address = addressOf(origin, imageId);
    yield { imageId, to, isSent: state === 'sent', width, height, bytes, uploadedAt: created_at_ms, address };
  }
}

/** Whom this person blocked. */
export async function* ownBlocks(db: Db, uid: Uid): AsyncGenerator<string> {
  for await (const { blocked } of allBlockedBy(db, uid)) yield blocked;
}
