/** The list of chats and the last messages of each, as this device stores them to be read without a network. */
import { blanked, dayMs } from '@tunemate/domain';
import type { ConversationRow, PairId, Uid } from '@tunemate/protocol';
import type { Readable, Unsubscribe } from '../store/cell.ts';
import type { Kept } from '../store/kept.ts';
import type { UserEvent } from '../connection/person-updates.ts';
import { endOf, type OpenConversation, withChanged } from './conversation.ts';

const mostMessages = 50;

export interface KeptChats {
  readonly rows: () => Promise<readonly ConversationRow[] | undefined>;
  readonly keepRows: (rows: Readable<readonly ConversationRow[] | null>) => Unsubscribe;
  readonly conversation: (uid: Uid) => Promise<OpenConversation | undefined>;
  /** What is deleted or edited does not stay as it was in a chat that is not open. */
  readonly receive: (change: UserEvent) => void;
  readonly keepConversation: (uid: Uid, changes: Readable<unknown>, now: () => OpenConversation | null) => Unsubscribe;
}

/** Presence is left out: it is not known without a network. */
export function createKeptChats(kept: Pick<Kept, 'read' | 'follow'>, self: Uid, now: () => number): KeptChats {
  const listKey = `${self}/chats`;
  const chatKey = (uid: Uid) => `${self}/chat/${uid}`;
  const store = (uid: Uid, value: unknown): void =>
    kept.follow(chatKey(uid), { subscribe: () => () => undefined }, () => value)();
  async function conversation(uid: Uid): Promise<OpenConversation | undefined> {
    const open = await kept.read<OpenConversation | null>(chatKey(uid));
    // A map is not kept, and a chat that is opened has none of these.
    return open ? withoutGone({ ...open, beside: new Map() }, now()) : undefined;
  }
  /** Those that a page shows store their changes themselves. */
  const shown = new Set<Uid>();
  /** As they were stored last: a write may not be over when the next change comes. */
  const latest = new Map<Uid, OpenConversation>();
  let changes = Promise.resolve();

  async function change(event: UserEvent): Promise<void> {
    if (event.type !== 'chats/cleared' && event.type !== 'chats/messageChanged') return;
    const uid = otherIn(event.type === 'chats/cleared' ? event.pairId : event.message.pairId, self);
    if (event.type === 'chats/cleared') {
      latest.delete(uid);
      return store(uid, null);
    }
    if (shown.has(uid)) return;
    const before = latest.get(uid) ?? (await conversation(uid));
    if (before === undefined || shown.has(uid)) return;
    // Its revision stays: the server is asked for all that came after it.
    const after = { ...lastOf(withChanged(before, event.message)), revision: before.revision };
    latest.set(uid, after);
    store(uid, after);
  }

  return {
    rows: () => kept.read(listKey),
    keepRows: (rows) => kept.follow(listKey, rows, () => rows.get()?.map((row) => ({ ...row, presence: null }))),
    conversation,
    receive(event) {
      changes = changes.then(() => change(event)).catch((exception: unknown) => reportError(exception));
    },
    keepConversation(uid, source, conversationNow) {
      shown.add(uid);
      latest.delete(uid);
      const end = kept.follow(chatKey(uid), source, () => {
        const open = conversationNow();
        return open === null ? undefined : lastOf(open);
      });
      return () => {
        const open = conversationNow();
        shown.delete(uid);
        if (open !== null) latest.set(uid, lastOf(open));
        end();
      };
    },
  };
}

function lastOf(open: OpenConversation): OpenConversation {
  const { messages, hasEarlierMessages } = endOf(open);
  const log = {
    messages: messages.slice(-mostMessages),
    hasEarlierMessages: hasEarlierMessages || messages.length > mostMessages,
  };
  return { ...open, log, newest: null, presence: null, unreadAfter: null };
}

/** What the timer of the chat has deleted by now: the page that would have learned of it may have been closed. */
function withoutGone(open: OpenConversation, nowMs: number): OpenConversation {
  const { days = null, at } = open.timer ?? { at: 0 };
  if (days === null) return open;
  // Those of before may have had another timer, or none.
  const gone = open.log.messages.filter(({ timestamp }) => timestamp > at && timestamp + days * dayMs <= nowMs);
  return gone.map((message) => blanked(message, 'hidden')).reduce(withChanged, open);
}

const otherIn = (pairId: PairId, self: Uid): Uid =>
  (pairId.startsWith(`${self}_`) ? pairId.slice(self.length + 1) : pairId.slice(0, self.length)) as Uid;
