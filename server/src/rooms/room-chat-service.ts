/**
 * The chat of a room. A message is stored before it is acknowledged, and the same client id is one message.
 */
import { type Payload, roomStream, type RoomMessage, type Result } from '@tunemate/protocol';
import type { Handlers, Member } from '../access/subjects.ts';
import { accept, type Ids, refuse } from '../ports.ts';
import { type Decided, onceDecided } from '../storage/idempotency.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { appendMessage, messagePage, withOwnStamps, nextMessageOf } from './room-chat-store.ts';

export interface RoomChatDeps {
  record: StreamRecord;
  ids: Ids;
}

export function roomChatService({ record, ids }: RoomChatDeps) {
  async function sendMessage(
    member: Member,
    payload: Payload<'rooms/sendMessage'>,
  ): Promise<Result<{ message: RoomMessage }>> {
    const { roomId } = member.room;
    const { clientId, text } = payload;
    const asked = ['rooms/sendMessage', roomId, text];
    return await member.write([], (writing) =>
      onceDecided(writing, member.caller.uid, clientId, asked, () => say(writing, member, payload), { roomId }),
    );
  }

  async function say(
    writing: Writing,
    { caller, room: { kind, roomId } }: Member,
    { clientId, text }: Payload<'rooms/sendMessage'>,
  ): Promise<Result<Decided<{ message: RoomMessage }>>> {
    const next = await nextMessageOf(writing.db, kind, roomId, caller.uid);
    if (!next) return refuse('auth/required');
    const message: RoomMessage = {
      id: ids.newId(),
      number: next.number,
      clientId,
      sender: caller.uid,
      senderName: next.name,
      text,
      isDeleted: false,
      timestamp: writing.nowMs,
      stamps: [],
    };
    const save = async () => {
      await appendMessage(writing.db, kind, roomId, message);
      await writing.append(roomStream(roomId), { type: 'rooms/messageSent', message });
    };
    return accept({ value: { message }, save });
  }

  return {
    handlers: {
      'rooms/sendMessage': sendMessage,
      'rooms/earlierMessages': async ({ caller, room }, { before }) =>
        accept(await withOwnStamps(record.db, room, caller.uid, await messagePage(record.db, room, before))),
    } satisfies Partial<Handlers>,
  };
}
