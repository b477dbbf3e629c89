/**
 * A slow chat: the host chooses how long each guest waits from one message to the next, so that a crowd can be read. The
 * last message of a person counts, deleted or not, and also what they sent before they left and came back.
 */
import { slowWaitMs } from '@tunemate/domain';
import { type Payload, type Result, roomStream, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Member, RoomRow } from '../../access/subjects.ts';
import { roomTables, type Schema } from '../../storage/schema.ts';
import { accept } from '../../system/ports.ts';

export async function slowChat(
  { write }: Member,
  { seconds }: Payload<'rooms/slowChat'>,
): Promise<Result<Record<string, never>>> {
  return await write([], async ({ db, append }, { room }) => {
    if (room.slowSeconds === seconds) return accept({});
    await db
      .updateTable(roomTables[room.kind].rooms)
      .set({ slow_seconds: seconds ?? 0 })
      .where('room_id', '=', room.roomId)
      .execute();
    await append(roomStream(room.roomId), { type: 'rooms/chatSlowed', slowSeconds: seconds });
    return accept({});
  });
}

/** How long this person waits before their next message. Reads nothing while the chat is not slow. */
export async function slowChatWaitMs(db: Kysely<Schema>, room: RoomRow, sender: Uid, nowMs: number): Promise<number> {
  const { kind, roomId, slowSeconds } = room;
  const isHost = room.host === sender;
  if (slowSeconds === null || isHost) return 0;
  const last = await db
    .selectFrom(roomTables[kind].chat)
    .select('timestamp_ms')
    .where('sender', '=', sender)
    .where('room_id', '=', roomId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return slowWaitMs({ slowSeconds, isHost, lastAtMs: last?.timestamp_ms ?? null, nowMs });
}
