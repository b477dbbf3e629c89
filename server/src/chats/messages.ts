/**
 * Private messages: resolving the user or chat that a request names, sending a message exactly once, and the marks of
 * delivered and read messages.
 */
import { advanceMarks, dayMs, pairIdOf, readPairId, refusalToWrite, visibleMarks } from '@tunemate/domain';
import {
  type EphemeralEvent,
  type PairId,
  type Payload,
  type PrivateMessage,
  type Result,
  type Uid,
  userStream,
} from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import { type Reserved, reserving } from '../access/spending.ts';
import type { Chat, Handlers, Pair, Side, Subjects } from '../access/subjects.ts';
import { mayReach, type ReachDeps } from '../people/reach.ts';
import { areConnected } from '../people/ties.ts';
import type { Caller } from '../access/caller.ts';
import { knownPeople, shownName } from '../storage/people.ts';
import type { Db } from '../storage/schema.ts';
import { type StreamRecord, together, type Writing } from '../storage/record.ts';
import { accept, type Log, type Nothing, type Notify, refuse } from '../system/ports.ts';
import {
  markFactsOf,
  openedWithStrangers,
  saveMarks,
  saveMessage,
  type SentBefore,
  shareReceipts,
  talkOf,
  sideOf,
  writingFactsOf,
} from './chats-store.ts';
import { type KeptBytes, type ReservedBytes, weightOf } from './kept-bytes.ts';
import { messageNumbered, messagesBefore, seenBy, type StoredMessage } from './messages-store.ts';
import { attachUpload } from './uploads/uploads-store.ts';

/** The answer for a conversation of other users is the same as for one that does not exist. */
export function pairResolver(record: StreamRecord): Pick<Subjects, 'person' | 'chat'> {
  const isKnown = knownPeople(record.db);
  const pairOf = (caller: Caller, other: Uid): Pair => {
    const both = [userStream(caller.uid), userStream(other)];
    return { caller, other, write: (others, work) => record.write(together(both, others), work) };
  };
  return {
    person: async (caller, uid) =>
      uid !== null && (await isKnown(uid)) ? accept(pairOf(caller, uid)) : refuse('access/not-found'),
    chat: async (caller, named) => {
      const pair = readPairId(named, caller.uid);
      const side = pair && (await sideOf(record.db, caller.uid, pair.pairId));
      return pair && side ? accept({ ...pairOf(caller, pair.other), side }) : refuse('access/not-found');
    },
  };
}

interface MessagesDeps {
  record: StreamRecord;
  log: Log;
  notify: Notify;
  limits: Pick<Limits, 'take' | 'giveBack'>;
  kept: KeptBytes;
}

type Sent = Result<{ message: PrivateMessage }>;

/** What the write may spend. The token of a first message to a stranger is taken once the write has found that it is one. */
interface Means {
  bytes: ReservedBytes;
  firstToStranger: Reserved | null;
}

/** The message is the stored answer to its client id: sending it again, however late, returns the same message. */
export function messagesService(deps: MessagesDeps) {
  const { record, limits, kept } = deps;

  async function send({ caller, other: recipient, write }: Pair, payload: Payload<'chats/send'>): Promise<Sent> {
    if (recipient === caller.uid || !hasContent(payload)) return refuse('input/invalid');
    const attempt = async (means: Means): Promise<Sent> => {
      const sent = await write([], (writing) => sendInside(deps, writing, caller.uid, recipient, { payload, means }));
      if (sent !== 'needs-token') return sent;
      return await reserving(limits, ['strangers', recipient], (firstToStranger) =>
        attempt({ ...means, firstToStranger }),
      );
    };
    return await kept.reserve(caller.uid, weightOf(payload.text), (bytes) => attempt({ bytes, firstToStranger: null }));
  }

  return {
    handlers: {
      'chats/send': send,
      'chats/earlierMessages': async ({ caller, side }, { before, downTo }) =>
        accept(await messagesBefore(record.db, caller.uid, side.pairId, before, downTo)),
    } satisfies Partial<Handlers>,
  };
}

/** The message of one write, or what the write lacks. */
async function sendInside(
  { notify, log }: Pick<MessagesDeps, 'notify' | 'log'>,
  writing: Writing,
  sender: Uid,
  recipient: Uid,
  { payload, means }: { payload: Payload<'chats/send'>; means: Means },
): Promise<Sent | 'needs-token'> {
  const { db, nowMs } = writing;
  const { text, clientId, replyTo } = payload;
  const pairId = pairIdOf(sender, recipient);
  const { names, side, isBlocked, isFirstAnswer, theirs, named, sent } = await writingFactsOf(db, {
    sender,
    recipient,
    pairId,
    clientId,
    replyTo,
  });
  if (sent) return await sentAgain(writing, sender, sent, { ...payload, pairId });
  // Deleted from another tab while this write waited.
  if (!names.has(sender)) return refuse('auth/required');
  const facts = {
    isSelf: false,
    otherExists: names.has(recipient),
    isBlocked,
    messages: side?.lastNumber ?? 0,
    unanswered: side?.unanswered ?? 0,
    nowMs,
  };
  // Most messages go to a partner who has answered: then the limits on strangers need no query.
  const isFree = side !== null && refusalToWrite({ ...facts, areConnected: false, openedAtMs: [] }) === null;
  const isConnected = isFree || (await areConnected(db, sender, recipient));
  const isFirstToStranger = side === null && !isConnected;
  const openedAtMs = isFirstToStranger ? await openedWithStrangers(db, sender, nowMs - dayMs) : [];
  const refusal = isFree ? null : refusalToWrite({ ...facts, areConnected: isConnected, openedAtMs });
  if (refusal) return refuse(refusal.code, refusal);
  if (replyTo !== undefined && named === null) return refuse('access/not-found');
  if (isFirstToStranger && means.firstToStranger === null) return 'needs-token';
  if (isFirstToStranger && means.firstToStranger?.taken.ok === false) return means.firstToStranger.taken;
  const mayStore = await means.bytes.mayStore(db, weightOf(text));
  if (!mayStore.ok) return mayStore;
  const number = (side?.lastNumber ?? 0) + 1;
  const attached = await attachUploads(db, { pairId, sender, number }, payload);
  if (attached === null) return refuse('access/not-found');
  // A clock that was set back must not date a message before the previous one.
  const timestamp = Math.max(nowMs, side?.lastAtMs ?? 0);
  const row: StoredMessage = {
    ...{
      ...named,
      ...newMessage,
      pair_id: pairId,
      number,
      client_id: clientId,
      sender,
      text,
      timestamp_ms: timestamp,
    },
    ...attached,
    cleared_up_to: side?.clearedUpTo ?? 0,
  };
  const message = seenBy(sender, row);
  const days = side?.goesAfterDays ?? null;
  const goesAtMs = days === null ? null : timestamp + days * dayMs;
  await saveMessage(db, message, { recipient, isToStranger: isFirstToStranger, goesAtMs });
  await appendForBoth(writing, row, names, { uid: recipient, ...theirs });
  if (side && isFirstAnswer) await showMarks(writing, sender, side);
  const name = shownName(names.get(sender));
  writing.afterCommit(() => {
    means.bytes.stored(weightOf(text));
    if (isFirstToStranger) means.firstToStranger?.spend();
  });
  if (!theirs.isMuted) writing.afterCommit(() => notify(recipient, { type: 'message', uid: sender, name }));
  log.debug({ pairId, number }, 'chat.message-sent');
  return accept({ message });
}

/** A recording is a message of its own. */
function hasContent({ text, imageId, voiceId }: Payload<'chats/send'>): boolean {
  const isEmpty = text === '' && imageId === undefined;
  return voiceId === undefined ? !isEmpty : isEmpty;
}

/** The columns of what the sender uploaded for this message; null when that is not theirs to send in this chat. */
async function attachUploads(
  db: Db,
  message: { pairId: PairId; sender: Uid; number: number },
  { imageId, voiceId }: Payload<'chats/send'>,
) {
  const columns: Pick<StoredMessage, 'image' | 'voice'> = { image: null, voice: null };
  for (const [kind, id] of [
    ['image', imageId],
    ['voice', voiceId],
  ] as const) {
    if (id === undefined) continue;
    const attached = await attachUpload(db, { kind, id, ...message });
    if (attached === null) return null;
    columns[kind] = JSON.stringify(attached);
  }
  return columns;
}

async function appendForBoth(
  writing: Writing,
  row: StoredMessage,
  names: ReadonlyMap<Uid, string>,
  recipient: { uid: Uid; isMuted: boolean; clearedUpTo: number },
): Promise<void> {
  const sender = row.sender as Uid;
  for (const [uid, other, seen] of [
    [sender, recipient.uid, row],
    [recipient.uid, sender, { ...row, cleared_up_to: recipient.clearedUpTo }],
  ] as const) {
    const change = {
      type: 'chats/messageSent',
      message: seenBy(uid, seen),
      other: { uid: other, name: shownName(names.get(other)) },
      ...(uid === recipient.uid && recipient.isMuted && { isMuted: true as const }),
    } as const;
    await writing.append(userStream(uid), change);
  }
}

/** The person who writes for the first time has received and read messages of which the other was told nothing. */
async function showMarks(writing: Writing, uid: Uid, side: Side): Promise<void> {
  const { other, pairId } = side;
  const marks = visibleMarks(side, { isNoticed: true, sharesReading: await shareReceipts(writing.db, uid, other) });
  if (marks.deliveredUpTo === 0) return;
  await writing.append(userStream(other), { type: 'chats/marked', pairId, marks: { uid, ...marks }, unread: null });
}

const newMessage = {
  ...{ edits: 0, edit_id: null, is_deleted: 0, hidden_from: 0 },
  ...{ revision: 0, hidden_at_1: 0, hidden_at_2: 0 },
} as const;

/** The message of an earlier attempt. Of words that are no longer stored, nothing can be compared. */
async function sentAgain(
  { db }: Writing,
  sender: Uid,
  sent: SentBefore,
  { pairId, text, imageId, voiceId, replyTo }: Payload<'chats/send'> & { pairId: PairId },
): Promise<Sent> {
  const isSameContent = (sent.text ?? text) === text && sent.imageId === imageId && sent.voiceId === voiceId;
  const isSame = sent.isDeleted || (isSameContent && sent.replyTo === replyTo);
  if (sent.pairId !== pairId || !isSame) return refuse('input/conflict');
  const message = await messageNumbered(db, sender, pairId, sent.number);
  return message ? accept({ message }) : refuse('access/not-found');
}

/** Before an act in a chat: of one in which the other has written it is known without a query. */
export const mayReachIn = async (deps: ReachDeps, { side, caller, other }: Chat): Promise<Result<unknown>> =>
  side.unanswered < side.lastNumber ? accept({}) : await mayReach(deps, caller.uid, other);

interface ReceiptsDeps extends ReachDeps {
  record: StreamRecord;
  /** Sends an ephemeral event to all tabs of one user; it may be lost. */
  send: (to: Uid, event: EphemeralEvent) => void;
}

/** Delivered and read marks, which only move forwards, and the ephemeral event that a user is typing. */
export function receiptsService(deps: ReceiptsDeps) {
  const { record, send } = deps;
  const mayTell = onceIn(leastBetweenTypingMs);

  async function mark(chat: Chat, payload: Payload<'chats/mark'>): Promise<Result<Nothing>> {
    const { caller, side, write } = chat;
    const asked = { ...payload, seenRevision: payload.seenRevision ?? 0 };
    // Marks only rise: one that moves nothing now never will, so it needs no lock.
    if (!movesAnything(side, asked)) return accept({});
    const reaches = await mayReachIn(deps, chat);
    if (!reaches.ok) return reaches;
    await write([], (writing) => markInside(writing, caller.uid, side, asked));
    return accept({});
  }

  async function markInside(writing: Writing, uid: Uid, { other, pairId }: Side, asked: Asked): Promise<void> {
    const facts = await markFactsOf(writing.db, uid, other, pairId, asked);
    if (!facts) return;
    const { side, reached, reactions } = facts;
    const marks = advanceMarks(side, reached);
    if (marks === null && asked.seenRevision <= side.seenRevision) return;
    const { deliveredUpTo, readUpTo } = marks ?? side;
    const next = { deliveredUpTo, readUpTo };
    const seenRevision = Math.max(side.seenRevision, asked.seenRevision);
    await saveMarks(writing.db, uid, pairId, { ...next, seenRevision, unread: facts.unread });
    const unread = facts.unread + reactions;
    await writing.append(userStream(uid), { type: 'chats/marked', pairId, marks: { uid, ...next }, unread });
    const isNoticed = facts.hasWritten || (await areConnected(writing.db, other, uid));
    const shows = { isNoticed, sharesReading: facts.shareReceipts };
    const [before, after] = [visibleMarks(side, shows), visibleMarks(next, shows)];
    if (after.deliveredUpTo === before.deliveredUpTo && after.readUpTo === before.readUpTo) return;
    await writing.append(userStream(other), { type: 'chats/marked', pairId, marks: { uid, ...after }, unread: null });
  }

  async function typing(caller: Caller, { uid }: Payload<'chats/typing'>): Promise<Result<Nothing>> {
    if (uid === caller.uid) return refuse('input/invalid');
    // The answer must not reveal whether a chat exists or is blocked.
    const talk = await talkOf(record.db, caller.uid, uid);
    const reaches =
      talk !== null && !talk.isBlocked && (talk.bothWrote || (await areConnected(record.db, caller.uid, uid)));
    if (reaches && mayTell(`${caller.uid}>${uid}`)) send(uid, { type: 'chats/typing', uid: caller.uid });
    return accept({});
  }

  return { handlers: { 'chats/mark': mark, 'chats/typing': typing } satisfies Partial<Handlers> };
}

/** A page says it every few seconds. */
const leastBetweenTypingMs = 500;
const mostKnown = 10_000;

/** True at most once in this time for each key. */
function onceIn(leastMs: number): (key: string) => boolean {
  const lastMs = new Map<string, number>();
  return (key) => {
    const nowMs = performance.now();
    if (nowMs - (lastMs.get(key) ?? -Infinity) < leastMs) return false;
    if (lastMs.size >= mostKnown) lastMs.clear();
    lastMs.set(key, nowMs);
    return true;
  };
}

type Asked = Parameters<typeof markFactsOf>[4];

function movesAnything(side: Side, asked: Asked): boolean {
  return (
    asked.seenRevision > side.seenRevision ||
    Math.min(asked.deliveredUpTo, side.lastNumber) > side.deliveredUpTo ||
    Math.min(asked.readUpTo, side.lastNumber) > side.readUpTo
  );
}
