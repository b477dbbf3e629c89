/**
 * The messages of one chat that are loaded: numbered, in order, each once; earlier pages; and the runs that
 * consecutive messages of one sender form.
 */
import type { ClientId, Result } from '@tunemate/protocol';
import { cell } from '../store/cell.ts';
import type { Waiting } from './outbox.ts';

interface Numbered {
  /** Counts the messages of a chat, from 1. */
  readonly number: number;
  readonly clientId: ClientId;
}

export interface MessageLog<Message extends Numbered> {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** True while there are messages before the first one here. */
  readonly hasEarlierMessages: boolean;
}

/** Adds a message, from the stream or from the answer to sending it; the second of the two changes nothing. */
export function withMessage<Message extends Numbered>(log: MessageLog<Message>, message: Message): MessageLog<Message> {
  const { messages } = log;
  const last = messages.at(-1);
  if (last === undefined || message.number > last.number) return { ...log, messages: [...messages, message] };
  const index = messages.findIndex(({ number }) => number >= message.number);
  // Older than all loaded messages: it comes with its page.
  if (index === 0 && messages[0]?.number !== message.number) return log;
  return messages[index]?.number === message.number ? log : { ...log, messages: messages.toSpliced(index, 0, message) };
}

export function withEarlierPage<Message extends Numbered>(
  log: MessageLog<Message>,
  page: MessageLog<Message>,
): MessageLog<Message> {
  const first = log.messages[0]?.number ?? Number.POSITIVE_INFINITY;
  const earlier = page.messages.filter(({ number }) => number < first);
  return { messages: [...earlier, ...log.messages], hasEarlierMessages: page.hasEarlierMessages };
}

/**
 * Joins the latest page to the log. If messages between them are missing, the log's earlier messages are dropped.
 * Messages after the page arrived while it was being fetched.
 */
export function withLatestPage<Message extends Numbered>(
  log: MessageLog<Message>,
  page: MessageLog<Message>,
): MessageLog<Message> {
  const first = page.messages[0]?.number ?? 1;
  const last = page.messages.at(-1)?.number ?? 0;
  const isJoined = log.messages.some(({ number }) => number === first - 1 || number === first);
  const before = isJoined ? log.messages.filter(({ number }) => number < first) : [];
  return {
    messages: [...before, ...page.messages, ...log.messages.filter(({ number }) => number > last)],
    hasEarlierMessages: before.length > 0 ? log.hasEarlierMessages : page.hasEarlierMessages,
  };
}

/** The log up to the first missing message: new messages can arrive before the missed ones are fetched. */
export function withoutGap<Message extends Numbered>(log: MessageLog<Message>): MessageLog<Message> {
  const { messages } = log;
  const end = messages.findIndex(({ number }, index) => number !== (messages[0]?.number ?? 0) + index);
  return end < 0 ? log : { ...log, messages: messages.slice(0, end) };
}

/** The number of the first message of `page` when messages between the log and the page are missing, else null. */
export function gapBefore<Message extends Numbered>(
  log: MessageLog<Message>,
  page: MessageLog<Message>,
): number | null {
  const last = log.messages.at(-1);
  const first = page.messages[0];
  if (last === undefined || first === undefined) return null;
  return first.number > last.number + 1 ? first.number : null;
}

export type EarlierStatus = 'idle' | 'loading' | 'failed';

interface EarlierPagesParts<Message extends Numbered, Goal> {
  /** Null while there is no log. */
  readonly log: () => MessageLog<Message> | null;
  readonly ask: (first: Message, downTo?: Goal) => Promise<Result<MessageLog<Message>>>;
  /** Not called when the log begins with another message by then: the page does not belong before that. */
  readonly onPage: (page: MessageLog<Message>) => void;
}

/** Loads the messages before the first loaded one, a page at a time. */
export function createEarlierPages<Message extends Numbered, Goal>(parts: EarlierPagesParts<Message, Goal>) {
  const status = cell<EarlierStatus>('idle');
  let underWay = Promise.resolve();

  async function ask(downTo?: Goal): Promise<void> {
    const log = parts.log();
    const first = log?.messages[0];
    if (log === null || first === undefined || !log.hasEarlierMessages) return;
    status.set('loading');
    const answer = await parts.ask(first, downTo);
    if (answer.ok && parts.log()?.messages[0]?.number === first.number) parts.onPage(answer.value);
    status.set(answer.ok ? 'idle' : 'failed');
  }

  return {
    status,
    /** Waits for the page that is under way, if there is one. `downTo`: a message that the page is to reach. */
    load(downTo?: Goal): Promise<void> {
      // What hears that a page has come may ask for the next one at once.
      if (status.get() !== 'loading') underWay = ask(downTo);
      return underWay;
    },
  };
}

export interface PlaceInRun {
  readonly starts: boolean;
  readonly ends: boolean;
}

/** What a chat of two and one of a room draw of a message alike. */
export interface DrawnMessage extends PlaceInRun {
  /** Stays the same when the server confirms a message of the current user. */
  readonly key: string;
  readonly text: string;
  readonly isDeleted: boolean;
  /** By the server's clock; until the message is sent by this device's. */
  readonly atMs: number;
  readonly isMine: boolean;
  /** Null once the server has stored it. */
  readonly waiting: Waiting | null;
}

/**
 * Marks where runs start and end, which are drawn as one block. `continues` decides whether a message belongs to the run
 * of the message before it.
 */
export function inRuns<Message>(
  messages: readonly Message[],
  continues: (message: Message, before: Message, index: number) => boolean,
): readonly (Message & PlaceInRun)[] {
  const starts = messages.map((message, index) => {
    const before = messages[index - 1];
    return before === undefined || !continues(message, before, index);
  });
  return messages.map((message, index) => ({
    ...message,
    starts: starts[index] ?? true,
    ends: starts[index + 1] ?? true,
  }));
}
