/**
 * The chat of a room. A message is stored before it is acknowledged. The message itself is the stored answer to its
 * client id: sending it again, however late, gets the same message.
 */
import { type Payload, roomStream, type RoomMessage, type Result } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import { accept, type Ids, refuse } from '../../system/ports.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { appendMessage, messagePage, withOwnStamps, nextMessageOf } from './room-chat-store.ts';

export interface RoomChatDeps {
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
      // What the host deleted can't be compared any more.
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
      await append(roomStream(roomId), { type: 'rooms/messageSent', message });
      return accept({ message });
    });
  }

  return {
    handlers: {
      'rooms/sendMessage': sendMessage,
      'rooms/earlierMessages': ({ caller, read }, { before }) =>
        read(async ({ room }) =>
          accept(await withOwnStamps(record.db, room, caller.uid, await messagePage(record.db, room, before))),
        ),
    } satisfies Partial<Handlers>,
  };
}
