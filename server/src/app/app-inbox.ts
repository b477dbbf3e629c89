/**
 * Composes the inbox: who asked to be soulmates is told when a newer notification takes the place of their request.
 */
import { type RoomId, type StreamId, type Uid, userStream } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { type NewNotification, nextToGo, putInto } from '../notifications/inbox.ts';
import type { Ids } from '../system/ports.ts';
import { tellAsked } from '../soulmate/sent-requests.ts';
import type { Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';

/** Delivers a notification, within a write that holds `streamsOfDelivery`. */
export async function deliver(
  writing: Writing,
  ids: Ids,
  recipient: Uid,
  news: NewNotification,
  roomId: RoomId | null = null,
): Promise<void> {
  for (const asker of await putInto(writing, ids, recipient, news, roomId)) await tellAsked(writing, asker);
}

/** The recipient's own, and of whoever's request has to make room for one more. */
export async function streamsOfDelivery(db: Kysely<Schema>, recipient: Uid): Promise<StreamId[]> {
  return [recipient, ...(await nextToGo(db, recipient))].map((uid) => userStream(uid));
}
