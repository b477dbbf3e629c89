/**
 * Where this process saw people seated last, by the code of the room. It is no answer to whether they still are: only
 * to which room a write has to ask about.
 */
import type { RoomId, RoomKind, Uid } from '@tunemate/protocol';
import type { RoomRow } from '../../access/subjects.ts';

const mostKnown = 20_000;

const keyOf = (uid: Uid, kind: RoomKind, code: string): string => `${uid} ${kind} ${code}`;

export function knownSeats(most = mostKnown) {
  const seats = new Map<string, RoomId>();

  return {
    find: (uid: Uid, kind: RoomKind, code: string): RoomId | null => seats.get(keyOf(uid, kind, code)) ?? null,
    /** The one that was noted first goes where there are too many. */
    note(uid: Uid, { kind, code, roomId }: Pick<RoomRow, 'kind' | 'code' | 'roomId'>): void {
      seats.set(keyOf(uid, kind, code), roomId);
      const oldest = seats.keys().next();
      if (seats.size > most && !oldest.done) seats.delete(oldest.value);
    },
    forget: (uid: Uid, kind: RoomKind, code: string): void => void seats.delete(keyOf(uid, kind, code)),
  };
}
