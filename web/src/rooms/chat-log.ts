/**
 * The messages of a room as one person sees them: what the server has numbered, then one's own that are on their way.
 * Pure: merging pages, changes and answers so that nothing is lost and nothing shows twice.
 */
import type { ClientId, RoomMessage } from '@tunemate/protocol';

/** A message of one's own that the server has not confirmed. */
export type Outgoing = {
  readonly clientId: ClientId;
  readonly text: string;
  /** Null while it is on its way; else why it was not sent. */
  readonly failure: string | null;
};

export type ChatLog = {
  /** Confirmed messages, oldest first. */
  readonly messages: readonly RoomMessage[];
  /** In the order in which they were sent. */
  readonly outgoing: readonly Outgoing[];
  readonly hasEarlierMessages: boolean;
};

export const EMPTY_CHAT: ChatLog = { messages: [], outgoing: [], hasEarlierMessages: false };

/**
 * A page fetched on entering: it joins what is known, or takes its place when messages between are missing. What is known
 * behind the page came while it was on its way.
 */
export function withLatestPage(log: ChatLog, page: readonly RoomMessage[], hasEarlierMessages: boolean): ChatLog {
  const first = page[0]?.number ?? 1;
  const isJoint = log.messages.some(({ number }) => number === first - 1 || number === first);
  const known = isJoint ? log.messages : log.messages.filter(({ number }) => number > first);
  const messages = inOrder(known, page);
  const isLonger = (messages[0]?.number ?? first) < first;
  return {
    messages,
    outgoing: withoutConfirmed(log.outgoing, page),
    hasEarlierMessages: isLonger ? log.hasEarlierMessages : hasEarlierMessages,
  };
}

/**
 * One message more, from the stream or as the answer to sending it, whichever comes first. It stands where its number
 * puts it: somebody else's may have been taken before one's own and be told later.
 */
export function withMessage(log: ChatLog, message: RoomMessage): ChatLog {
  return {
    ...log,
    messages: inOrder(log.messages, [message]),
    outgoing: withoutConfirmed(log.outgoing, [message]),
  };
}

/** A page from before the first known message. */
export function withEarlierPage(log: ChatLog, page: readonly RoomMessage[], hasEarlierMessages: boolean): ChatLog {
  return { ...log, messages: inOrder(log.messages, page), hasEarlierMessages };
}

/** Both, each message once, in the order that the server gave them. */
function inOrder(some: readonly RoomMessage[], others: readonly RoomMessage[]): readonly RoomMessage[] {
  const byNumber = new Map([...some, ...others].map((message) => [message.number, message]));
  return [...byNumber.values()].toSorted((one, other) => one.number - other.number);
}

/** Puts a message on its way, or on its way again in the place it has. */
export function withOutgoing(log: ChatLog, message: Outgoing): ChatLog {
  const isKnown = log.outgoing.some(({ clientId }) => clientId === message.clientId);
  const outgoing = isKnown
    ? log.outgoing.map((known) => (known.clientId === message.clientId ? message : known))
    : [...log.outgoing, message];
  return { ...log, outgoing };
}

/** Gives a message up. */
export function withoutOutgoing(log: ChatLog, clientId: string): ChatLog {
  return { ...log, outgoing: log.outgoing.filter((message) => message.clientId !== clientId) };
}

function withoutConfirmed(outgoing: readonly Outgoing[], confirmed: readonly RoomMessage[]): readonly Outgoing[] {
  const done = new Set<string>(confirmed.map(({ clientId }) => clientId));
  return outgoing.filter(({ clientId }) => !done.has(clientId));
}
