/**
 * One open private chat: its messages, both people's marks, who the other is, and whether they are typing.
 * What is on its way to the server is the outbox's business.
 */
import { advanceMarks, type Marks } from '@tunemate/domain';
import type { Conversation, PrivateMessage, Refusal, Result, Uid } from '@tunemate/protocol';
import { newest, type UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import type { Clock } from '../connection/ports.ts';
import {
  gapBefore,
  withEarlierPage,
  withLatestPage,
  withMessage,
  withoutGap,
  type MessageLog,
} from '../messages/message-log.ts';
import { cell, type Cell, type Readable } from '../store/cell.ts';
import type { Receipts } from './receipts.ts';
import { createTyping } from './typing.ts';

export interface OpenConversation extends Omit<Conversation, 'messages' | 'hasEarlierMessages' | 'marks'> {
  readonly log: Log;
  readonly mine: Marks;
  readonly theirs: Marks;
  /** The number after which everything was unread when the chat was opened; null when nothing was. */
  readonly unreadAfter: number | null;
}

export type ConversationState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly refusal: Refusal }
  | { readonly status: 'open'; readonly conversation: OpenConversation };

export interface ConversationModel {
  readonly state: Readable<ConversationState>;
  readonly earlier: Readable<'idle' | 'loading' | 'failed'>;
  readonly isTyping: Readable<boolean>;
  loadEarlier(): Promise<void>;
  /** Everything up to this message was on a visible, focused screen. */
  seen(number: number): void;
  /** Tells the other that something is being written; as often as one likes. */
  tellTyping(): void;
  setBlocked(isBlocked: boolean): Promise<Result<object>>;
  receive(change: UserEvent): void;
  /** The server's answer to a message of one's own. */
  confirm(message: PrivateMessage): void;
  /** A new line: what was missed is fetched. */
  renew(): void;
  close(): void;
}

export interface ConversationParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly receipts: Receipts;
  readonly self: Uid;
  /** The other. */
  readonly uid: Uid;
}

type Log = MessageLog<PrivateMessage>;

/** Missed pages that are fetched to keep one's place; with more, the chat starts again at its end. */
const mostMissedPages = 20;
const noMarks: Marks = { deliveredUpTo: 0, readUpTo: 0 };

export function createConversationModel({ connection, clock, receipts, self, uid }: ConversationParts) {
  const state = cell<ConversationState>({ status: 'loading' });
  const earlier = cell<'idle' | 'loading' | 'failed'>('idle');
  const typing = createTyping(connection, clock, uid);
  const abort = new AbortController();
  let isAsking = false;
  /** The line was replaced meanwhile: the answer on its way may be older than that. */
  let mustAskAgain = false;
  /** What came while the conversation was on its way. */
  let meanwhile: UserEvent[] = [];

  async function ask(): Promise<void> {
    if (isAsking) {
      mustAskAgain = true;
      return;
    }
    isAsking = true;
    mustAskAgain = false;
    meanwhile = [];
    const answer = await connection.requestUntilAnswered('chats/open', { uid }, { signal: abort.signal });
    const fresh = answer.ok ? await joined(answer.value) : null;
    isAsking = false;
    if (abort.signal.aborted) return;
    if (fresh !== null) state.set({ status: 'open', conversation: meanwhile.reduce(take, fresh) });
    else if (!answer.ok && state.get().status !== 'open') state.set({ status: 'failed', refusal: answer.error });
    if (mustAskAgain) await ask();
  }

  /** The server's word, joined to the messages that are here already. */
  async function joined({ messages, hasEarlierMessages, marks, ...rest }: Conversation): Promise<OpenConversation> {
    const before = openOf(state);
    const known = withoutGap(before?.log ?? { messages: [], hasEarlierMessages: false });
    const page = await withMissedPages(known, rest.pairId, { messages, hasEarlierMessages });
    const mine = marks.find((one) => one.uid === self) ?? noMarks;
    const theirs = marks.find((one) => one.uid === uid) ?? noMarks;
    const hasUnread = messages.some(({ number, sender }) => sender === uid && number > mine.readUpTo);
    return {
      ...rest,
      log: withLatestPage(known, page),
      mine: raised(before?.mine ?? noMarks, mine),
      theirs: raised(before?.theirs ?? noMarks, theirs),
      unreadAfter: before === null && hasUnread ? mine.readUpTo : (before?.unreadAfter ?? null),
    };
  }

  async function withMissedPages(known: Log, pairId: string, latest: Log): Promise<Log> {
    let page = latest;
    for (let round = 0; round < mostMissedPages; round += 1) {
      const before = gapBefore(known, page);
      if (before === null) break;
      const { signal } = abort;
      const answer = await connection.requestUntilAnswered('chats/earlierMessages', { pairId, before }, { signal });
      if (!answer.ok) break;
      page = withEarlierPage(page, answer.value);
    }
    return page;
  }

  function take(now: OpenConversation, change: UserEvent): OpenConversation {
    if (change.type === 'chats/messageSent') {
      return change.message.pairId === now.pairId ? { ...now, log: withMessage(now.log, change.message) } : now;
    }
    if (change.type === 'chats/marked' && change.pairId === now.pairId) {
      const whose = change.marks.uid === self ? 'mine' : 'theirs';
      return { ...now, [whose]: raised(now[whose], change.marks) };
    }
    if (change.type === 'chats/blocked' && change.uid === uid) {
      return { ...now, isBlockedByMe: change.isBlocked, presence: change.isBlocked ? null : now.presence };
    }
    // Where none is shown none may be: the server said so.
    if (change.type === 'presence/changed' && change.presence.uid === uid && now.presence !== null) {
      return { ...now, presence: change.presence };
    }
    if (change.type === 'people/changed' && change.person.uid === uid) {
      const { name, presence } = change.person;
      return { ...now, other: { uid, name }, presence: now.presence && newest(now.presence, presence) };
    }
    if (change.type === 'soulmate/changed') return { ...now, isSoulmate: change.soulmate?.uid === uid };
    return now;
  }

  function update(change: (now: OpenConversation) => OpenConversation): void {
    const now = openOf(state);
    const next = now === null ? null : change(now);
    if (now === null || next === null || next === now) return;
    state.set({ status: 'open', conversation: next });
    // Presence is shown to people who have a chat that nobody blocked: the first message makes it one.
    const isFirst = now.log.messages.length === 0 && next.log.messages.length > 0;
    if (isFirst || (now.isBlockedByMe && !next.isBlockedByMe)) void ask();
  }

  const model: ConversationModel = {
    state,
    earlier,
    isTyping: typing.isTyping,
    async loadEarlier() {
      const now = openOf(state);
      const first = now?.log.messages[0];
      if (now === null || first === undefined || !now.log.hasEarlierMessages || earlier.get() === 'loading') return;
      earlier.set('loading');
      const { pairId } = now;
      const answer = await connection.request('chats/earlierMessages', { pairId, before: first.number });
      if (answer.ok) update((latest) => ({ ...latest, log: withEarlierPage(latest.log, answer.value) }));
      earlier.set(answer.ok ? 'idle' : 'failed');
    },
    seen(number) {
      const now = openOf(state);
      if (now !== null && number > now.mine.readUpTo) receipts.read(now.pairId, number);
    },
    tellTyping() {
      if (openOf(state)?.log.messages.length !== 0) typing.tell();
    },
    setBlocked: (isBlocked) => connection.request('chats/block', { uid, isBlocked }),
    receive(change) {
      if (isAsking) meanwhile.push(change);
      if (change.type === 'chats/messageSent' && change.message.sender === uid) typing.stop();
      update((now) => take(now, change));
    },
    confirm: (message) =>
      update((now) => (message.pairId === now.pairId ? { ...now, log: withMessage(now.log, message) } : now)),
    renew: () => void ask(),
    close() {
      abort.abort();
      typing.close();
    },
  };
  void ask();
  return model;
}

function openOf(state: Cell<ConversationState>): OpenConversation | null {
  const now = state.get();
  return now.status === 'open' ? now.conversation : null;
}

/** Marks never go back, whatever comes late. */
function raised(now: Marks, next: Marks): Marks {
  return advanceMarks(now, next) ?? now;
}
