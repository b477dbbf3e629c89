/** The messages of a room as bubbles, oldest first: stored messages, then the user's unsent ones. Pure. */
import type { RoomMessage, StampCount, Uid } from '@tunemate/protocol';
import { inRuns, type PlaceInRun } from '../../messages/message-log.ts';
import type { Waiting } from '../../messages/outbox.ts';

/** `key` stays the same when a message of the current user is confirmed. */
export interface ChatBubble extends PlaceInRun {
  readonly key: string;
  /** Null while the server does not have it. */
  readonly id: string | null;
  readonly text: string;
  readonly isDeleted: boolean;
  readonly stamps: readonly StampCount[];
  /** By the server's clock; by this device's while it is not sent. */
  readonly atMs: number;
  readonly isMine: boolean;
  readonly author: { readonly id: Uid; readonly name: string };
  /** While the server does not have it. */
  readonly waiting: Waiting | null;
}

export function chatBubbles(
  messages: readonly RoomMessage[],
  waiting: readonly Waiting[],
  self: { uid: Uid; name: string },
): readonly ChatBubble[] {
  const author = { id: self.uid, name: self.name };
  const lines = [
    ...messages.map(({ id, clientId, text, sender, senderName, isDeleted, stamps, timestamp }) => ({
      key: clientId,
      id,
      isDeleted,
      stamps,
      atMs: timestamp,
      text,
      isMine: sender === self.uid,
      author: { id: sender, name: senderName },
      waiting: null,
    })),
    ...waiting.map((message) => ({
      key: message.clientId,
      id: null,
      isDeleted: false,
      stamps: [],
      atMs: message.writtenAtMs,
      text: message.text,
      isMine: true,
      author,
      waiting: message,
    })),
  ];
  return inRuns<Omit<ChatBubble, keyof PlaceInRun>>(lines, (line, before) => line.author.id === before.author.id);
}
