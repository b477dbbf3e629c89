/**
 * The chat of a room. A message is stored before it is acknowledged. The message itself is the stored answer to its
 * client id: sending it again, however late, gets the same message. The host can delete one for all, and for 15 minutes
 * its sender: its text is then stored nowhere, nor in the stream. Members put stamps on messages, or send reactions that are not stored.
 */
import { editableForMs } from '@tunemate/domain';
import { type Payload, type Result, type RoomMessage, roomStream } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import type { Change, StreamRecord } from '../../storage/record.ts';
import { replaceEntries } from '../../storage/replace-entries.ts';
import { accept, type Ids, refuse } from '../../system/ports.ts';
import {
  appendMessage,
  blankMessage,
  forgetEarliest,
  messageFacts,
  messagePage,
  nextMessageOf,
  removeStampsOn,
  setStamp,
  stampCount,
  withOwnStamps,
} from './room-chat-store.ts';

interface RoomChatDeps {
  record: StreamRecord;
  ids: Ids;
}

export function roomChatService({ record, ids }: RoomChatDeps) {
  async function sendMessage(
    { caller, write }: Member,
    { clientId, text }: Payload<'rooms/sendMessage'>,
  ): Promise<Result<{ message: RoomMessage }>> {
    return await write([], async ({ db, nowMs, append }, { room: { kind, roomId } }) => {
      const next = await nextMessageOf(db, kind, roomId, caller.uid, clientId);
      if (!next) return refuse('auth/required');
      const { name, number, sent } = next;
      // What was deleted can't be compared any more.
      if (sent) return sent.isDeleted || sent.text === text ? accept({ message: sent }) : refuse('input/conflict');
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
      };
      await appendMessage(db, kind, roomId, message);
      await forgetEarliest(db, kind, roomId, number);
      await append(roomStream(roomId), { type: 'rooms/messageSent', message });
      return accept({ message });
    });
  }

  return {
    handlers: {
      'rooms/deleteMessage': deleteMessage,
      'rooms/stamp': stamp,
      'rooms/cheer': cheer,
      'rooms/sendMessage': sendMessage,
      'rooms/earlierMessages': ({ caller, read }, { before }) =>
        read(async ({ room }) =>
          accept(await withOwnStamps(record.db, room, caller.uid, await messagePage(record.db, room, before))),
        ),
    } satisfies Partial<Handlers>,
  };
}

const blank = (message: RoomMessage): RoomMessage => ({ ...message, text: '', isDeleted: true, stamps: [] });

type Empty = Record<string, never>;

/** Whether this is the change that carried the message. */
function isSending(change: Change, messageId: string): change is Change & { type: 'rooms/messageSent' } {
  return change.type === 'rooms/messageSent' && change.message.id === messageId;
}

async function deleteMessage(
  { caller, write }: Member,
  { messageId }: Payload<'rooms/deleteMessage'>,
): Promise<Result<Empty>> {
  return await write([], async (writing, { role, room: { kind, roomId } }) => {
    const { db, nowMs } = writing;
    const facts = await messageFacts(db, kind, roomId, messageId);
    if (role !== 'host') {
      if (facts?.sender !== caller.uid) return refuse('room/host-only');
      if (editableForMs(facts.timestampMs, nowMs) <= 0) return refuse('access/forbidden');
    }
    if (!facts) return refuse('access/not-found');
    if (facts.isDeleted) return accept({});
    await blankMessage(db, kind, roomId, messageId);
    await removeStampsOn(db, kind, roomId, messageId);
    await replaceEntries(db, [roomStream(roomId)], messageId, (change) =>
      isSending(change, messageId) ? { ...change, message: blank(change.message) } : null,
    );
    await writing.append(roomStream(roomId), { type: 'rooms/messageDeleted', messageId });
    return accept({});
  });
}

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
