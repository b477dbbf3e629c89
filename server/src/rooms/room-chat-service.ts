/**
 * The chat of a room. A message is stored before it is acknowledged, and the same client id is one message.
 */
import { type Payload, roomStream, type RoomMessage, type Result } from '@tunemate/protocol';
import type { Handlers, Member } from '../access/subjects.ts';
import { accept, type Ids, refuse } from '../ports.ts';
import { once } from '../storage/idempotency.ts';
import { personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { appendMessage, messagePage, nextNumber } from './room-chat-store.ts';

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
      once(writing, member.caller.uid, clientId, asked, () => say(writing, member, payload), { roomId }),
    );
  }

  async function say(
    writing: Writing,
    { caller, room: { kind, roomId } }: Member,
    { clientId, text }: Payload<'rooms/sendMessage'>,
  ): Promise<Result<{ message: RoomMessage }>> {
    const person = await personOf(writing.db, caller.uid);
    if (!person) return refuse('auth/required');
    const message: RoomMessage = {
      id: ids.newId(),
      number: await nextNumber(writing.db, kind, roomId),
      clientId,
      sender: caller.uid,
      senderName: person.name,
      text,
      timestamp: writing.nowMs,
    };
    await appendMessage(writing.db, kind, roomId, message);
    await writing.append(roomStream(roomId), { type: 'rooms/messageSent', message });
    return accept({ message });
  }

  return {
    handlers: {
      'rooms/sendMessage': sendMessage,
      'rooms/earlierMessages': async ({ room }, { before }) =>
        accept(await messagePage(record.db, room.kind, room.roomId, before)),
    } satisfies Partial<Handlers>,
  };
}
