/**
 * What is done to a private message after it was sent: editing, deleting it for both or for oneself, reacting. Each is
 * one write that holds the streams of both and appends the whole message as each of them sees it then, so that it does
 * not matter how many of these changes a page has missed.
 */
import { refusalToEdit, refusalToReact } from '@tunemate/domain';
import { type Payload, type Result, userStream } from '@tunemate/protocol';
import type { Chat, Handlers } from '../access/subjects.ts';
import type { ReachDeps } from '../people/reach.ts';
import { keepingAnswer, storedAnswer } from '../storage/idempotency.ts';
import { changeTogether } from '../storage/queries.ts';
import type { Writing } from '../storage/record.ts';
import { accept, type Nothing, refuse } from '../system/ports.ts';
import type { KeptBytes, ReservedBytes } from './kept-bytes.ts';
import {
  type ActFacts,
  actFactsOf,
  countingBytes,
  countingDeletion,
  countingHiding,
  erasedEntries,
  type ReactedWith,
  type ReaderFacts,
  savingOf,
  savingReactions,
} from './message-acts-store.ts';
import { mayReachIn } from './messages.ts';
import { bitOf, emojisIn, hiddenAt, seenBy, type StoredMessage, storedTerms } from './messages-store.ts';

type Done = Result<Nothing>;

export function messageActsService(deps: ReachDeps & { kept: KeptBytes }) {
  const { kept } = deps;
  const reaching =
    <Asked>(work: (chat: Chat, asked: Asked) => Promise<Done>) =>
    async (chat: Chat, asked: Asked): Promise<Done> => {
      const reaches = await mayReachIn(deps, chat);
      return reaches.ok ? await work(chat, asked) : reaches;
    };

  /** An edit counts as much as the text grows, which is known once the stored one is read. */
  const edit = (chat: Chat, asked: Payload<'chats/edit'>): Promise<Done> =>
    kept.reserve(chat.caller.uid, Buffer.byteLength(asked.text), (bytes) => editWithin(bytes, chat, asked));

  async function editWithin(
    bytes: ReservedBytes,
    chat: Chat,
    { clientId, number, text, edits }: Payload<'chats/edit'>,
  ): Promise<Done> {
    const { uid } = chat.caller;
    return await act(chat, number, async (writing, facts) => {
      const { row, isBlocked, other } = facts;
      const revision = nextRevision(writing, facts);
      // The answer to an earlier attempt was lost.
      if (row.edit_id === clientId) return row.text === text ? accept({}) : refuse('input/conflict');
      const message = seenBy(uid, row);
      const isClosed = isBlocked || !other.isLive;
      const refusal = refusalToEdit({ message, isClosed, nowMs: writing.nowMs }, uid, edits);
      if (refusal) return refuse(refusal);
      const grown = Buffer.byteLength(text) - Buffer.byteLength(row.text);
      const mayStore = grown > 0 ? await bytes.mayStore(writing.db, grown) : accept({});
      if (!mayStore.ok) return mayStore;
      const terms = storedTerms(writing.db, row.pair_id, text);
      const changed = { text, edits, edit_id: clientId, revision };
      const counting = grown === 0 ? [] : [countingBytes(row.pair_id, uid, grown)];
      await changeTogether(writing.db, [savingOf(row, { ...changed, terms }), ...counting]);
      await appendFor([facts.caller, other], writing, { ...facts, row: { ...row, ...changed } });
      if (grown > 0) writing.afterCommit(() => bytes.stored(grown));
      return accept({});
    });
  }

  return {
    handlers: {
      'chats/edit': reaching(edit),
      'chats/delete': reaching(deleteForBoth),
      'chats/hide': hide,
      'chats/react': reaching(react),
    } satisfies Partial<Handlers>,
  };
}

/** Runs `work` within a write that holds the streams of both, with what is stored of the message then. */
async function act(
  { caller, other, side, write }: Chat,
  number: number,
  work: (writing: Writing, facts: ActFacts) => Promise<Done>,
  more: { key?: string; withMentions?: boolean } = {},
): Promise<Done> {
  return await write([], async (writing) => {
    const of = { pairId: side.pairId, number, caller: caller.uid, other };
    const facts = await actFactsOf(writing.db, { ...of, ...more });
    if (!facts || number <= facts.caller.clearedUpTo) return refuse('access/not-found');
    // Deleted from another tab while this write waited.
    return facts.caller.isLive ? await work(writing, facts) : refuse('auth/required');
  });
}

/**
 * Rises with every change in the chat. Of the time, and not a count: by a gap in it one person would see that the other
 * has hidden something.
 */
export const nextRevision = ({ nowMs }: Writing, { latestRevision }: ActFacts): number =>
  Math.max(nowMs, latestRevision + 1);

/** No time limit, and allowed after a block: deleting reveals nothing. */
async function deleteForBoth(chat: Chat, { number }: Payload<'chats/delete'>): Promise<Done> {
  const { uid } = chat.caller;
  const work = async (writing: Writing, facts: ActFacts): Promise<Done> => {
    const { row, caller, other } = facts;
    const revision = nextRevision(writing, facts);
    if (row.sender !== uid) return refuse('access/forbidden');
    if (row.is_deleted === 1) return accept({});
    const changed = { text: '', image: null, voice: null, edits: 0, edit_id: null, is_deleted: 1, revision } as const;
    const wasUnread = isUnread(row, other);
    await changeTogether(writing.db, [
      savingOf(row, { ...changed, reply_to: null, terms: '' }),
      countingDeletion(row.pair_id, uid, { bytes: Buffer.byteLength(row.text), wasUnread }),
    ]);
    writing.replace(erasedEntries(facts.mentions, row));
    const unread = other.unread - (wasUnread ? 1 : 0);
    const after = { ...facts, row: { ...row, ...changed }, reacted: [] };
    await appendFor([caller, { ...other, unread }], writing, after);
    return accept({});
  };
  return await act(chat, number, work, { withMentions: true });
}

async function hide(chat: Chat, { number, isHidden }: Payload<'chats/hide'>): Promise<Done> {
  const { uid } = chat.caller;
  return await act(chat, number, async (writing, facts) => {
    const { row, caller } = facts;
    const revision = nextRevision(writing, facts);
    const bit = bitOf(row.pair_id, uid);
    if ((row.hidden_from & bit) === (isHidden ? bit : 0)) return accept({});
    const changed = { hidden_from: row.hidden_from ^ bit, [hiddenAt(bit)]: revision };
    const after = { ...row, ...changed };
    const unread = caller.unread - Number(isUnread(row, caller)) + Number(isUnread(after, caller));
    await changeTogether(writing.db, [savingOf(row, changed), countingHiding(after, uid, { unread, revision })]);
    await appendFor([{ ...caller, unread }], writing, { ...facts, row: after });
    return accept({});
  });
}

async function react(chat: Chat, payload: Payload<'chats/react'>): Promise<Done> {
  const { number, emoji, isOn, clientId } = payload;
  const { uid } = chat.caller;
  const work = async (writing: Writing, facts: ActFacts): Promise<Done> => {
    const { row, reacted, isBlocked, other } = facts;
    const revision = nextRevision(writing, facts);
    const own = reacted.find((each) => each.uid === uid);
    const before = own ? emojisIn(own.emojis) : [];
    if (before.includes(emoji) === isOn) return accept({});
    const others = before.filter((each) => each !== emoji);
    const isClosed = isBlocked || !other.isLive;
    const body = ['chats/react', payload];
    if (facts.isAnswered) return (await storedAnswer(writing.db, uid, clientId, body)) as Done;
    const refusal = refusalToReact({ message: seenBy(uid, row), isClosed, nowMs: writing.nowMs }, others.length, isOn);
    if (refusal) return refuse(refusal);
    const emojis = (isOn ? [...before, emoji] : others).join(' ');
    const added = isOn ? revision : emojis === '' ? 0 : (own?.added ?? 0);
    const mine: ReactedWith = { number, uid, emojis, revision, added };
    await changeTogether(writing.db, [
      keepingAnswer(writing, uid, clientId, body, {}),
      savingReactions(row.pair_id, row.sender, mine),
    ]);
    const now = [...reacted.filter((each) => each !== own), mine].toSorted((one, two) => (one.uid < two.uid ? -1 : 1));
    await appendFor([facts.caller, other], writing, { ...facts, reacted: now });
    return accept({});
  };
  return await act(chat, number, work, { key: clientId });
}

/** Counts as an unread message of this reader. */
export function isUnread(row: StoredMessage, { uid, readUpTo, clearedUpTo }: ReaderFacts): boolean {
  return row.sender !== uid && row.number > Math.max(readUpTo, clearedUpTo) && seenBy(uid, row).state === 'shown';
}

/** Sends the message to the streams of these readers, as each sees it now. */
export async function appendFor(
  readers: readonly ReaderFacts[],
  writing: Writing,
  { row, reacted }: ActFacts,
): Promise<void> {
  for (const reader of readers) {
    // They have deleted the chat for themselves since.
    if (row.number <= reader.clearedUpTo) continue;
    const isNews = ({ uid, added }: ReactedWith): boolean =>
      row.sender === reader.uid && uid !== reader.uid && added > reader.seenRevision;
    const unread = reader.unread + reader.reactionsElsewhere + Number(reacted.some(isNews));
    const message = seenBy(reader.uid, { ...row, cleared_up_to: reader.clearedUpTo }, reacted);
    await writing.append(userStream(reader.uid), { type: 'chats/messageChanged', message, unread });
  }
}
