/**
 * Sending private messages exactly once, and paging back through them. The message itself is the stored answer to its
 * client id: sending it again, however late, gets the same message.
 */
import { dayMs, pairIdOf, refusalToWrite } from '@tunemate/domain';
import { userStream, type PairId, type Payload, type PrivateMessage, type Uid, type Result } from '@tunemate/protocol';
import type { Handlers, Pair } from '../access/subjects.ts';
import { areConnected } from '../people/ties.ts';
import { accept, type Log, type Notify, refuse } from '../system/ports.ts';
import { shownName } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { openedWithStrangers, recordMessage, writingFactsOf } from './conversations-store.ts';
import { attachImage } from './pictures/images-store.ts';
import { insertMessage, messagesBefore } from './messages-store.ts';

export interface MessagesDeps {
  record: StreamRecord;
  log: Log;
  notify: Notify;
}

type Sent = Result<{ message: PrivateMessage }>;

export function messagesService({ record, log, notify }: MessagesDeps) {
  async function send({ caller, other: recipient, write }: Pair, payload: Payload<'chats/send'>): Promise<Sent> {
    const { text, imageId } = payload;
    if (recipient === caller.uid || (text === '' && imageId === undefined)) return refuse('input/invalid');
    return await write([], async (writing) => await sendInside(writing, caller.uid, recipient, payload));
  }

  async function sendInside(writing: Writing, sender: Uid, recipient: Uid, payload: Payload<'chats/send'>) {
    const { db, nowMs } = writing;
    const { text, clientId } = payload;
    const pairId = pairIdOf(sender, recipient);
    const { names, side, isBlocked, sent } = await writingFactsOf(db, { sender, recipient, pairId, clientId });
    if (sent) return isSame(sent, pairId, payload) ? accept({ message: sent }) : refuse('input/conflict');
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
    // What strangers may write need not be asked about: most messages are answered.
    const isFree = side !== null && refusalToWrite({ ...facts, areConnected: false, openedAtMs: [] }) === null;
    const isConnected = isFree || (await areConnected(db, sender, recipient));
    const isFirstToStranger = side === null && !isConnected;
    const openedAtMs = isFirstToStranger ? await openedWithStrangers(db, sender, nowMs - dayMs) : [];
    const refusal = isFree ? null : refusalToWrite({ ...facts, areConnected: isConnected, openedAtMs });
    if (refusal) return refuse(refusal.code, refusal);
    const image = payload.imageId === undefined ? null : await attachImage(db, payload.imageId, pairId, sender);
    if (payload.imageId !== undefined && image === null) return refuse('access/not-found');
    const number = (side?.lastNumber ?? 0) + 1;
    // A clock that was set back must not put a message before the one it follows.
    const timestamp = Math.max(nowMs, side?.lastAtMs ?? 0);
    const message: PrivateMessage = { pairId, number, clientId, sender, text, image, timestamp };
    await insertMessage(db, message);
    await recordMessage(db, message, recipient, isFirstToStranger);
    await tellBoth(writing, message, names, recipient);
    const name = shownName(names.get(sender));
    writing.afterCommit(() => notify(recipient, { type: 'message', uid: sender, name }));
    log.debug({ pairId, number }, 'chat.message-sent');
    return accept({ message });
  }

  async function tellBoth(
    writing: Writing,
    message: PrivateMessage,
    names: ReadonlyMap<Uid, string>,
    recipient: Uid,
  ): Promise<void> {
    for (const [uid, other] of [
      [message.sender, recipient],
      [recipient, message.sender],
    ] as const) {
      const change = {
        type: 'chats/messageSent',
        message,
        other: { uid: other, name: shownName(names.get(other)) },
      } as const;
      await writing.append(userStream(uid), change);
    }
  }

  return {
    handlers: {
      'chats/send': send,
      'chats/earlierMessages': async ({ side }, { before }) =>
        accept(await messagesBefore(record.db, side.pairId, before)),
    } satisfies Partial<Handlers>,
  };
}

function isSame(sent: PrivateMessage, pairId: PairId, asked: Payload<'chats/send'>): boolean {
  return sent.pairId === pairId && sent.text === asked.text && (sent.image?.imageId ?? undefined) === asked.imageId;
}
