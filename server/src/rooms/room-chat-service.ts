/**
 * Talking in a room. A message is on the disk before it is acknowledged, and the same client id is one message.
 */
import { type Payload, roomStream, type RoomMessage } from '@tunemate/protocol';
import { accept, type Clock, type Ids, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { once } from '../storage/idempotency.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { appendMessage, type MessagePage, messagePage, nextNumber } from './room-chat-store.ts';
import { check, standingAgain, standingByCode } from './standing.ts';

export interface RoomChatDeps {
  record: StreamRecord;
  clock: Clock;
  ids: Ids;
  personOf: (db: Writing['db'], uid: Caller['uid']) => Promise<{ name: string } | null>;
}

export function roomChatService({ record, clock, ids, personOf }: RoomChatDeps) {
  async function sendMessage(
    caller: Caller,
    { kind, code, clientId, text }: Payload<'rooms/sendMessage'>,
  ): Promise<Outcome<{ message: RoomMessage }>> {
    const first = check(await standingByCode(record.db, kind, code, caller.uid, clock.now()), 'member');
    if ('ok' in first) return first;
    const { room } = first.standing;
    const stream = roomStream(room.roomId);
    return await record.write([stream], (writing) =>
      once(
        writing,
        caller.uid,
        clientId,
        ['rooms/sendMessage', room.roomId, text],
        async () => {
          const again = check(await standingAgain(writing.db, room, caller.uid, writing.nowMs), 'member');
          if ('ok' in again) return again;
          const person = await personOf(writing.db, caller.uid);
          if (!person) return refuse('auth/required');
          const message: RoomMessage = {
            id: ids.newId(),
            number: await nextNumber(writing.db, kind, room.roomId),
            clientId,
            sender: caller.uid,
            senderName: person.name,
            text,
            timestamp: writing.nowMs,
          };
          await appendMessage(writing.db, kind, room.roomId, message);
          await writing.append(stream, { type: 'rooms/messageSent', message });
          return accept({ message });
        },
        { roomId: room.roomId },
      ),
    );
  }

  async function earlierMessages(
    caller: Caller,
    { kind, code, before }: Payload<'rooms/earlierMessages'>,
  ): Promise<Outcome<MessagePage>> {
    const checked = check(await standingByCode(record.db, kind, code, caller.uid, clock.now()), 'member');
    if ('ok' in checked) return checked;
    return accept(await messagePage(record.db, kind, checked.standing.room.roomId, before));
  }

  return { sendMessage, earlierMessages };
}
export type RoomChatService = ReturnType<typeof roomChatService>;
