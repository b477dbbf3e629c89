/**
 * One open private chat: its messages, both people's marks, and who the other is.
 * Messages that are not sent yet belong to the outbox.
 */
import { type Conversation, limits, type PairId, type PrivateMessage, type Refusal } from '@tunemate/protocol';
import type { UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import { createEarlierPages, type EarlierStatus, gapBefore, withEarlierPage } from '../messages/message-log.ts';
import { typingSender } from '../messages/typing-people.ts';
import { backoffMs } from '../connection/retry.ts';
import { cell, type Cell, type Readable } from '../store/cell.ts';
import type { Clock } from '../store/clock.ts';
import {
  atNewest,
  joined,
  knownMessages,
  mayHavePresenceNow,
  type OpenConversation,
  type Pair,
  type PrivateLog,
  withChange,
  withDistantPage,
  withLaterPage,
  withPage,
  withSent,
} from './conversation.ts';
import type { KeptChats } from './kept-chats.ts';

type ConversationState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly refusal: Refusal }
  /** `isKept`: as this device stored it, until the server has answered. */
  | { readonly status: 'open'; readonly conversation: OpenConversation; readonly isKept?: boolean };

export interface ConversationModel {
  readonly state: Readable<ConversationState>;
  readonly earlier: Readable<EarlierStatus>;
  loadEarlier(): Promise<void>;
  /** While the log is not at the newest messages: loads those after its last. */
  loadLater(): Promise<void>;
  /** Loads this message and some around it, unless it is there. Far before the others, it is shown instead of them. */
  reach(number: number): Promise<void>;
  /** Shows the newest messages. */
  returnToNewest(): void;
  /** Everything up to this message was on a visible, focused screen. */
  seen(number: number): void;
  /** Notifies the other person that the user is typing; may be called at each keystroke. */
  sendTyping(): void;
  receive(change: UserEvent): void;
  /** The server's answer to a message of the current user. */
  confirm(message: PrivateMessage): void;
  /** A new connection is live: fetches what was missed. */
  renew(): void;
  close(): void;
}

/** Sends what of a chat the user has and has seen; the same numbers may come again. */
export interface Receipts {
  /** Messages up to this number are on this device. */
  delivered(pairId: PairId, number: number): void;
  /** Messages up to this number, and reactions up to this revision of the chat, were on the screen. */
  read(pairId: PairId, number: number, seenRevision?: number): void;
}

interface ConversationParts extends Pair {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly receipts: Receipts;
  readonly kept: Pick<KeptChats, 'conversation' | 'keepConversation'>;
}

/** Missed pages that are fetched to keep the scroll position; with more, the chat starts again at its end. */
const mostMissedPages = 20;

export function createConversationModel(parts: ConversationParts): ConversationModel {
  const { connection, clock, receipts, uid } = parts;
  const state = cell<ConversationState>({ status: 'loading' });
  const sendTyping = typingSender(connection, clock, () => void connection.request('chats/typing', { uid }));
  const opening = createOpening(parts, state);
  const earlier = createEarlierPages<PrivateMessage, number>({
    log: () => openOf(state)?.log ?? null,
    ask: ({ pairId, number: before }, downTo) =>
      connection.request('chats/earlierMessages', { pairId, before, ...(downTo !== undefined && { downTo }) }),
    onPage: (page) => update((now) => withPage(now, page)),
  });
  const distant = createDistantPages(connection, () => openOf(state), update);

  function update(change: (now: OpenConversation) => OpenConversation): void {
    const now = openOf(state);
    const next = now === null ? null : change(now);
    if (now === null || next === null || next === now) return;
    state.set({ ...state.get(), status: 'open', conversation: next });
    if (mayHavePresenceNow(now, next)) void opening.ask();
  }

  /** The last revision of which this screen has sent that it was seen. */
  let seenRevision = 0;

  void opening.restore();
  void opening.ask();
  const endKeeping = parts.kept.keepConversation(uid, state, () => openOf(state));
  return {
    state,
    earlier: earlier.status,
    loadEarlier: () => earlier.load(),
    loadLater: distant.loadLater,
    async reach(number) {
      const isNear = distant.missingBefore(number) <= limits.longChatPage / 2;
      if (isNear) await earlier.load(number);
      if (!(await distant.reach(number))) earlier.status.set('failed');
    },
    returnToNewest: distant.returnToNewest,
    seen(number) {
      const now = openOf(state);
      if (now === null) return;
      if (number > now.mine.readUpTo || now.revision > seenRevision) receipts.read(now.pairId, number, now.revision);
      seenRevision = now.revision;
    },
    sendTyping() {
      if (openOf(state)?.log.messages.length !== 0) sendTyping();
    },
    receive(change) {
      opening.receive(change);
      update((now) => withChange(now, change, parts));
    },
    confirm: (message) => update((now) => withSent(now, message)),
    renew: () => void opening.ask(),
    close() {
      endKeeping();
      opening.abort();
    },
  };
}

/** Messages that are shown with one that the user went to. */
const aroundGoal = 30;

/** Pages far before the newest messages, and those from there on. */
function createDistantPages(
  connection: Connection,
  open: () => OpenConversation | null,
  update: (change: (now: OpenConversation) => OpenConversation) => void,
) {
  let isLoading = false;
  /** Rises with each place that the user goes to: a page for an earlier one comes too late. */
  let round = 0;
  const isIn = ({ messages }: PrivateLog, number: number): boolean =>
    number >= (messages[0]?.number ?? Infinity) && number <= (messages.at(-1)?.number ?? 0);

  return {
    /** How many messages are missing between this one and the log. */
    missingBefore(number: number): number {
      const log = open()?.log;
      const first = log?.messages[0]?.number ?? 0;
      return log === undefined || number > first ? Infinity : first - number;
    },

    /** False when the server did not answer with the message. */
    async reach(number: number): Promise<boolean> {
      round += 1;
      const asked = round;
      const now = open();
      if (now === null || isIn(now.log, number)) return true;
      if (now.newest !== null && isIn(now.newest, number)) update(atNewest);
      else {
        const page = { pairId: now.pairId, before: number + aroundGoal, downTo: number };
        const answer = await connection.request('chats/earlierMessages', page);
        if (asked !== round) return true;
        if (!answer.ok) return false;
        // A message that was deleted for the user leaves nothing to show.
        if (isIn(answer.value, number)) update((then) => withDistantPage(then, answer.value));
      }
      return true;
    },

    returnToNewest(): void {
      round += 1;
      update(atNewest);
    },

    async loadLater(): Promise<void> {
      const now = open();
      const last = now?.log.messages.at(-1);
      if (isLoading || now === null || now.newest === null || last === undefined) return;
      isLoading = true;
      const before = last.number + limits.chatPage + 1;
      const answer = await connection.request('chats/earlierMessages', { pairId: now.pairId, before });
      isLoading = false;
      if (!answer.ok) return;
      update((then) => (then.log.messages.at(-1)?.number === last.number ? withLaterPage(then, answer.value) : then));
    },
  };
}

/** Asks the server for the chat and joins its answer to what is here. One request at a time. */
function createOpening({ connection, clock, kept, ...pair }: ConversationParts, state: Cell<ConversationState>) {
  const aborter = new AbortController();
  const { signal } = aborter;
  let isAsking = false;
  /** The connection was replaced: the pending answer may be older than that. */
  let mustAskAgain = false;
  /** Changes that arrived while the answer was pending. */
  let meanwhile: UserEvent[] = [];
  /** In a row, of an open chat. */
  let refusals = 0;
  let cancelRetry: () => void = () => {};

  /** The chat is as this device stored it: the server's answer takes its place. */
  let isKept = false;

  async function restore(): Promise<void> {
    const conversation = await kept.conversation(pair.uid);
    if (conversation === undefined || signal.aborted || state.get().status !== 'loading') return;
    isKept = true;
    state.set({ status: 'open', conversation, isKept });
  }

  async function ask(): Promise<void> {
    if (isAsking) {
      mustAskAgain = true;
      return;
    }
    isAsking = true;
    mustAskAgain = false;
    meanwhile = [];
    cancelRetry();
    // What an earlier visit kept on this device is replaced as a whole.
    const since = isKept ? undefined : openOf(state)?.revision;
    const asked = since === undefined ? { uid: pair.uid } : { uid: pair.uid, since };
    const answer = await connection.requestUntilAnswered('chats/open', asked, { signal });
    const before = (): OpenConversation | null => (isKept ? null : openOf(state));
    const fresh = answer.ok ? await withMissedPages(connection, signal, knownMessages(before()), answer.value) : null;
    isAsking = false;
    if (signal.aborted) return;
    if (fresh !== null) {
      // As it is by now: the user may have gone to other messages while the missed ones were fetched.
      const opened = joined(before(), fresh, pair);
      const conversation = meanwhile.reduce((now, change) => withChange(now, change, pair), opened);
      state.set({ status: 'open', conversation });
      isKept = false;
    } else if (!answer.ok && state.get().status !== 'open') state.set({ status: 'failed', refusal: answer.error });
    refusals = answer.ok ? 0 : refusals + 1;
    if (mustAskAgain) await ask();
    // What was missed would stay a hole in the open chat.
    else if (!answer.ok && state.get().status === 'open') {
      const pauseMs = backoffMs(refusals, Math.random, answer.error.retryAfterMs);
      cancelRetry = clock.schedule(() => void ask(), pauseMs);
    }
  }

  return {
    ask,
    restore,
    receive(change: UserEvent) {
      if (isAsking) meanwhile.push(change);
    },
    abort() {
      aborter.abort();
      cancelRetry();
    },
  };
}

/** Fetches the pages between the messages that are known and those of the answer. */
async function withMissedPages(
  connection: Connection,
  signal: AbortSignal,
  known: PrivateLog,
  latest: Conversation,
): Promise<Conversation> {
  const { pairId } = latest;
  let page: PrivateLog = latest;
  for (let round = 0; round < mostMissedPages; round += 1) {
    const before = gapBefore(known, page);
    if (before === null) break;
    const answer = await connection.requestUntilAnswered('chats/earlierMessages', { pairId, before }, { signal });
    if (!answer.ok) break;
    page = withEarlierPage(page, answer.value);
  }
  return { ...latest, messages: [...page.messages], hasEarlierMessages: page.hasEarlierMessages };
}

function openOf(state: Cell<ConversationState>): OpenConversation | null {
  const now = state.get();
  return now.status === 'open' ? now.conversation : null;
}
