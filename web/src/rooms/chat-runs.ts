/** Messages as bubbles: which of them begin and end a run of one writer. Pure. */
import type { RoomMessage } from '@tunemate/protocol';
import type { ChatLog, Outgoing } from './chat-log.ts';

/** One bubble, confirmed or on its way. `key` stays the same when a message of one's own is confirmed. */
export type ChatBubble = {
  readonly key: string;
  readonly text: string;
  readonly isMine: boolean;
  readonly author: { readonly id: string; readonly name: string };
  readonly starts: boolean;
  readonly ends: boolean;
  /** Server time; null while it is not confirmed. */
  readonly sentAtMs: number | null;
  readonly outgoing: Outgoing | null;
};

type Line = Omit<ChatBubble, 'starts' | 'ends'>;

/** All bubbles, oldest first. */
export function chatBubbles(log: ChatLog, self: { uid: string; name: string }): readonly ChatBubble[] {
  const lines = [
    ...log.messages.map((message) => confirmed(message, self.uid)),
    ...log.outgoing.map((message) => onItsWay(message, self)),
  ];
  return lines.map((line, index) => ({
    ...line,
    starts: lines[index - 1]?.author.id !== line.author.id,
    ends: lines[index + 1]?.author.id !== line.author.id,
  }));
}

function confirmed(message: RoomMessage, selfUid: string): Line {
  return {
    key: message.clientId,
    text: message.text,
    isMine: message.sender === selfUid,
    author: { id: message.sender, name: message.senderName },
    sentAtMs: message.timestamp,
    outgoing: null,
  };
}

function onItsWay(message: Outgoing, self: { uid: string; name: string }): Line {
  return {
    key: message.clientId,
    text: message.text,
    isMine: true,
    author: { id: self.uid, name: self.name },
    sentAtMs: null,
    outgoing: message,
  };
}
