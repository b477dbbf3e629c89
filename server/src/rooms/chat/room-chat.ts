/**
 * The chat of a room. A message is stored before it is acknowledged. The message itself is the stored answer to its
 * client id: sending it again, however late, gets the same message. Members put stamps on messages, or send reactions
 * that are not stored.
 */
import { type Payload, type Result, type RoomMessage, roomStream } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { accept, type Ids, refuse } from '../../system/ports.ts';
import { deleteMessage, editMessage } from './message-acts.ts';
import { appendMessage, forgetEarliest, messageFacts, messagePage, nextMessageOf } from './room-chat-store.ts';
import { slowChat, slowChatWaitMs } from './slow-chat.ts';
import { setStamp, stampCount, withOwnStamps } from './stamps-store.ts';

interface RoomChatDeps {
  record: StreamRecord;
  ids: Ids;
}

export function roomChatService({ record, ids }: RoomChatDeps) {
  async function sendMessage(
    { caller, write }: Member,
    { clientId, text, replyTo }: Payload<'rooms/sendMessage'>,
  ): Promise<Result<{ message: RoomMessage }>> {
    return await write([], async ({ db, nowMs, append }, { room }) => {
      const { kind, roomId } = room;
      const next = await nextMessageOf(db, kind, roomId, caller.uid, { clientId, replyTo });
      if (!next) return refuse('auth/required');
      const { name, number, sent, reply } = next;
      if (sent) return isSame(sent, text, replyTo) ? accept({ message: sent }) : refuse('input/conflict');
      const waitMs = await slowChatWaitMs(db, room, caller.uid, nowMs);
      if (waitMs > 0) return refuse('limit/too-many', { retryAfterMs: waitMs });
      if (replyTo !== undefined && (reply === null || reply.isGone)) return refuse('access/not-found');
      const message: RoomMessage = {
        id: ids.newId(),
        number,
        clientId,
        sender: caller.uid,
        senderName: name,
        text,
        isDeleted: false,
        timestamp: nowMs,
        stamps: [],
        ...(reply && { reply }),
      };
      await appendMessage(db, kind, roomId, message);
      await forgetEarliest(db, kind, roomId, number);
      await append(roomStream(roomId), { type: 'rooms/messageSent', message });
      return accept({ message });
    });
  }

  return {
    handlers: {
      'rooms/editMessage': editMessage,
      'rooms/deleteMessage': deleteMessage,
      'rooms/stamp': stamp,
      'rooms/cheer': cheer,
      'rooms/sendMessage': sendMessage,
      'rooms/slowChat': slowChat,
      'rooms/earlierMessages': ({ caller, read }, { before, downTo }) =>
        read(async ({ room }) =>
          accept(await withOwnStamps(record.db, room, caller.uid, await messagePage(record.db, room, before, downTo))),
        ),
    } satisfies Partial<Handlers>,
  };
}

/** Of what was deleted nothing can be compared any more, and of what was edited no text. */
const isSame = (sent: RoomMessage, text: string, replyTo: string | undefined): boolean =>
  sent.isDeleted || ((sent.edits !== undefined || sent.text === text) && sent.reply?.id === replyTo);

type Empty = Record<string, never>;

async function stamp(
  { caller: { uid }, write }: Member,
  { messageId, stamp: name, isOn }: Payload<'rooms/stamp'>,
): Promise<Result<Empty>> {
  return await write([], async (writing, { room: { kind, roomId } }) => {
    const { db } = writing;
    const facts = await messageFacts(db, kind, roomId, messageId);
    if (!facts || facts.isDeleted) return refuse('access/not-found');
    if (!(await setStamp(db, kind, roomId, { messageId, uid, stamp: name }, isOn))) return accept({});
    const count = await stampCount(db, kind, roomId, messageId, name);
    await writing.append(roomStream(roomId), { type: 'rooms/stamped', messageId, uid, stamp: name, isOn, count });
    return accept({});
  });
}

async function cheer(
  { caller: { uid }, write }: Member,
  { stamp: name }: Payload<'rooms/cheer'>,
): Promise<Result<Empty>> {
  return await write([], async (writing, { room: { roomId } }) => {
    await writing.append(roomStream(roomId), { type: 'rooms/cheered', uid, stamp: name });
    return accept({});
  });
}
