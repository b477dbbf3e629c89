/**
 * Who is typing in a room, which is sent to all in it and stored nowhere. What it costs does not grow with the
 * square of the people: only in rooms of some size, and of a few at a time.
 */
import { type EphemeralEvent, limits, type RoomId, roomStream, type StreamId, type Uid } from '@tunemate/protocol';
import type { Handlers, Member } from '../../access/subjects.ts';
import { type Db, type RoomRef, roomTables } from '../../storage/schema.ts';
import { accept } from '../../system/ports.ts';

interface TypingDeps {
  db: Db;
  /** Sends an ephemeral event to all who follow a stream; it may be lost. */
  send: (to: StreamId, event: EphemeralEvent) => void;
}

export function typingService({ db, send }: TypingDeps) {
  const maySend = fewAtATime();
  const typing = async ({ caller: { uid }, read }: Member) =>
    await read(async ({ room }) => {
      const { roomId } = room;
      // In this order: people who are not shown take no place of others.
      if ((await isShown(db, room, uid)) && maySend(roomId, uid)) {
        send(roomStream(roomId), { type: 'rooms/typing', roomId, uid });
      }
      return accept({});
    });
  return { handlers: { 'rooms/typing': typing } satisfies Partial<Handlers> };
}

/** False in a larger room, and for a person who has a block with another in it, from either side. */
async function isShown(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<boolean> {
  const people = await db
    .selectFrom(`${roomTables[kind].participants} as member`)
    .select((of) =>
      of
        .exists(
          of
            .selectFrom('blocks')
            .select('blocks.uid')
            .where((is) =>
              is.or([
                is.and([is('blocks.uid', '=', uid), is('blocks.blocked', '=', is.ref('member.uid'))]),
                is.and([is('blocks.blocked', '=', uid), is('blocks.uid', '=', is.ref('member.uid'))]),
              ]),
            ),
        )
        .as('is_blocked'),
    )
    .where('member.room_id', '=', roomId)
    .limit(limits.typingPeople + 1)
    .execute();
  return people.length <= limits.typingPeople && people.every(({ is_blocked: isBlocked }) => !isBlocked);
}

/** A page says it every three seconds. */
const leastBetweenMs = 2000;
const mostAtATime = 3;
/** For as long as pages show it. */
const shownMs = 5000;
const mostRooms = 10_000;

/** Of each room the few people who are typing, each once in a while. Counted by each process for itself. */
function fewAtATime(): (roomId: RoomId, uid: Uid) => boolean {
  const rooms = new Map<RoomId, Map<Uid, number>>();
  return (roomId, uid) => {
    const nowMs = performance.now();
    const typing = new Map([...(rooms.get(roomId) ?? [])].filter(([, atMs]) => nowMs - atMs < shownMs));
    const isSoon = nowMs - (typing.get(uid) ?? -Infinity) < leastBetweenMs;
    if (isSoon || (typing.size >= mostAtATime && !typing.has(uid))) return false;
    if (rooms.size >= mostRooms) rooms.clear();
    rooms.set(roomId, typing.set(uid, nowMs));
    return true;
  };
}
