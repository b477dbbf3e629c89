/** The list of chats and the last messages of each, as this device stores them to be read without a network. */
import type { ConversationRow, PrivateMessage, Uid } from '@tunemate/protocol';
import type { Readable, Unsubscribe } from '../store/cell.ts';
import type { Kept } from '../store/kept.ts';
import { endOf, type OpenConversation, withChanged } from './conversation.ts';

const mostMessages = 50;

export interface KeptChats {
  readonly rows: () => Promise<readonly ConversationRow[] | undefined>;
  readonly keepRows: (rows: Readable<readonly ConversationRow[] | null>) => Unsubscribe;
  readonly conversation: (uid: Uid) => Promise<OpenConversation | undefined>;
  /** Deletes what this device stored of a chat. */
  readonly forget: (uid: Uid) => void;
  /** What is deleted or edited does not stay as it was in a chat that is not open. */
  readonly change: (uid: Uid, message: PrivateMessage) => void;
  readonly keepConversation: (uid: Uid, changes: Readable<unknown>, now: () => OpenConversation | null) => Unsubscribe;
}

/** Presence is left out: it is not known without a network. */
export function createKeptChats(kept: Kept, self: Uid): KeptChats {
  const listKey = `${self}/chats`;
  const chatKey = (uid: Uid) => `${self}/chat/${uid}`;
  const store = (uid: Uid, value: unknown): void =>
    kept.follow(chatKey(uid), { subscribe: () => () => undefined }, () => value)();
  async function conversation(uid: Uid): Promise<OpenConversation | undefined> {
    const open = await kept.read<OpenConversation | null>(chatKey(uid));
    // A map is not kept, and a chat that is opened has none of these.
    return open ? { ...open, beside: new Map() } : undefined;
  }
  let changes = Promise.resolve();
  return {
    rows: () => kept.read(listKey),
    keepRows: (rows) => kept.follow(listKey, rows, () => rows.get()?.map((row) => ({ ...row, presence: null }))),
    conversation,
    forget: (uid) => store(uid, null),
    change(uid, message) {
      // One after another: each reads what the one before has stored.
      changes = changes.then(async () => {
        const open = await conversation(uid);
        // Its revision stays: the server is asked for all that came after it.
        if (open) store(uid, { ...lastOf(withChanged(open, message)), revision: open.revision });
      });
    },
    keepConversation: (uid, changes, now) =>
      kept.follow(chatKey(uid), changes, () => {
        const open = now();
        return open === null ? undefined : lastOf(open);
      }),
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
