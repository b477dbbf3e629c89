/** What may be done to a private message after it was sent, and how it looks to a reader then. */
import { type ErrorCode, limits, type PrivateMessage, type Quote, type Uid } from '@tunemate/protocol';

export interface MessageFacts {
  /** As the caller sees it. */
  message: Pick<PrivateMessage, 'sender' | 'state' | 'text' | 'timestamp' | 'edits'>;
  /** Nothing new may pass between the two: one has blocked the other, or an account is gone. */
  isClosed: boolean;
  nowMs: number;
}

/** For how long the sender may still edit; 0 or less once it is over. */
export const editableForMs = (sentAtMs: number, nowMs: number): number => sentAtMs + limits.editableMs - nowMs;

/** Why `caller` may not make this edit of the text, the first having the number 1; null when they may. */
export function refusalToEdit(facts: MessageFacts, caller: Uid, edits: number): ErrorCode | null {
  const { message, isClosed, nowMs } = facts;
  if (message.state !== 'shown') return 'access/not-found';
  const isOwnText = message.sender === caller && message.text !== '';
  if (!isOwnText || isClosed || editableForMs(message.timestamp, nowMs) <= 0) return 'access/forbidden';
  return message.edits + 1 === edits ? null : 'input/conflict';
}

/** Why a reaction may not change; `others` are those that this person has on the message beside it. */
export function refusalToReact({ message, isClosed }: MessageFacts, others: number, isOn: boolean): ErrorCode | null {
  if (message.state !== 'shown') return 'access/not-found';
  if (isClosed) return 'access/forbidden';
  return isOn && others >= limits.reactionsPerPerson ? 'limit/too-many' : null;
}

/** The message without anything that was in it. */
export function blanked(message: PrivateMessage, state: 'deleted' | 'hidden'): PrivateMessage {
  return { ...message, text: '', image: null, voice: undefined, reply: null, reactions: [], edits: 0, state };
}

/** The message as a reply names it. */
export function quoteOf({ number, clientId, sender, text, image, voice, state }: Quotable): Quote {
  const isGone = state !== 'shown';
  return {
    number,
    clientId,
    sender,
    text: isGone ? '' : beginningOf(text),
    hasImage: !isGone && image !== null,
    ...(voice && !isGone && { voiceMs: voice.durationMs }),
    isGone,
  };
}
type Quotable = Pick<PrivateMessage, 'number' | 'clientId' | 'sender' | 'text' | 'image' | 'voice' | 'state'>;

/** What a quote shows of a text. */
export function beginningOf(text: string): string {
  const points = Array.from(text);
  return points.length > limits.quoteLength ? `${points.slice(0, limits.quoteLength).join('')}…` : text;
}
