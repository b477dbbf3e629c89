/** The messages of a room as bubbles, oldest first: stored messages, then the user's unsent ones. Pure. */
import type { RoomMessage } from '@tunemate/protocol';
import { inRuns, type PlaceInRun } from '../messages/message-runs.ts';
import type { Waiting } from '../messages/outbox-storage.ts';

/** `key` stays the same when a message of the current user is confirmed. */
export interface ChatBubble extends PlaceInRun {
  readonly key: string;
  readonly text: string;
  readonly isMine: boolean;
  readonly author: { readonly id: string; readonly name: string };
  /** While the server does not have it. */
  readonly waiting: Waiting | null;
}

export function chatBubbles(
  messages: readonly RoomMessage[],
  waiting: readonly Waiting[],
  self: { uid: string; name: string },
): readonly ChatBubble[] {
  const author = { id: self.uid, name: self.name };
  const lines = [
    ...messages.map(({ clientId, text, sender, senderName }) => ({
      key: clientId,
      text,
      isMine: sender === self.uid,
      author: { id: sender, name: senderName },
      waiting: null,
    })),
    ...waiting.map((message) => ({
      key: message.clientId,
      text: message.text,
      isMine: true,
      author,
      waiting: message,
    })),
  ];
  return inRuns<Omit<ChatBubble, keyof PlaceInRun>>(lines, (line, before) => line.author.id === before.author.id);
}
