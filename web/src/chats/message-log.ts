/**
 * The messages of one private chat that are at hand: numbered, in order, each once, with nothing missing between.
 * Pure; knows nothing of what is still on its way.
 */
import type { PrivateMessage } from '@tunemate/protocol';

export interface MessageLog {
  /** Oldest first. */
  readonly messages: readonly PrivateMessage[];
  /** True while there are messages before the first one here. */
  readonly hasEarlierMessages: boolean;
}

/** One message more, from the stream or as the answer to sending it, whichever comes first. */
export function withMessage(log: MessageLog, message: PrivateMessage): MessageLog {
  const { messages } = log;
  const last = messages.at(-1);
  if (last === undefined || message.number > last.number) return { ...log, messages: [...messages, message] };
  const index = messages.findIndex(({ number }) => number >= message.number);
  // Older than all that is shown: it comes with its page.
  if (index === 0 && messages[0]?.number !== message.number) return log;
  return messages[index]?.number === message.number ? log : { ...log, messages: messages.toSpliced(index, 0, message) };
}

/** A page from before the first message. */
export function withEarlierPage(log: MessageLog, page: MessageLog): MessageLog {
  const first = log.messages[0]?.number ?? Number.POSITIVE_INFINITY;
  const earlier = page.messages.filter(({ number }) => number < first);
  return { messages: [...earlier, ...log.messages], hasEarlierMessages: page.hasEarlierMessages };
}

/** The log up to the first place where messages are missing: news can come before what was missed. */
export function withoutGap({ messages, hasEarlierMessages }: MessageLog): MessageLog {
  const end = messages.findIndex(({ number }, index) => number !== (messages[0]?.number ?? 0) + index);
  return { messages: end < 0 ? messages : messages.slice(0, end), hasEarlierMessages };
}

/** The number of the first message of `page` when messages between the log and the page are missing, else null. */
export function gapBefore(log: MessageLog, page: MessageLog): number | null {
  const last = log.messages.at(-1);
  const first = page.messages[0];
  if (last === undefined || first === undefined) return null;
  return first.number > last.number + 1 ? first.number : null;
}

/** The latest page joined to what is known; where messages between are missing, the page alone. */
export function withLatestPage(log: MessageLog, page: MessageLog): MessageLog {
  if (log.messages.length === 0 || gapBefore(log, page) !== null) return page;
  return page.messages.reduce(withMessage, log);
}
