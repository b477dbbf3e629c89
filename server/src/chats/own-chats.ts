/**
 * Everything that one person wrote and received in private, for the export of their data. Read only, and by nobody else.
 */
import type { PairId, PrivateMessage, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { deletedName, peopleOf } from '../storage/people.ts';
import type { Schema } from '../storage/schema.ts';
import { sidesOf } from './conversations-store.ts';
import { allMessages } from './messages-store.ts';

export interface ExportedMessage {
  sender: Uid;
  senderName: string;
  text: string;
  image: PrivateMessage['image'];
  timestamp: number;
}

export interface ExportedChat {
  with: { uid: Uid; name: string };
  /** Oldest first. */
  messages: ExportedMessage[];
}

/** All conversations of this person, whole, the latest first. */
export async function ownChats(db: Kysely<Schema>, uid: Uid): Promise<ExportedChat[]> {
  const sides = await sidesOf(db, uid);
  const people = await peopleOf(db, [uid, ...sides.map(({ other }) => other)]);
  const nameOf = (each: Uid) => people.get(each)?.name ?? deletedName;
  const chats: ExportedChat[] = [];
  for (const { other, pairId } of sides) chats.push(await chatWith(db, other, pairId, nameOf));
  return chats;
}

async function chatWith(
  db: Kysely<Schema>,
  other: Uid,
  pairId: PairId,
  nameOf: (uid: Uid) => string,
): Promise<ExportedChat> {
  const messages = (await allMessages(db, pairId)).map(({ sender, text, image, timestamp }) => {
    return { sender, senderName: nameOf(sender), text, image, timestamp };
  });
  return { with: { uid: other, name: nameOf(other) }, messages };
}
