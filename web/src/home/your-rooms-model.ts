/** The live rooms that the user hosts or sits in. Asked for when shown, and again after each connection. */
import type { Result, Value, YourRoom } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export interface YourRoomsModel {
  /** Null until the first answer. */
  readonly rooms: Readable<readonly YourRoom[] | null>;
  /** Ends a room for everyone. */
  end(room: YourRoom): Promise<Result<Value<'rooms/leave'>>>;
  close(): void;
}

export function openYourRooms(connection: Connection): YourRoomsModel {
  const rooms = cell<readonly YourRoom[] | null>(null);
  const refresh = async (): Promise<void> => {
    const answer = await connection.request('rooms/mine', {});
    // A refusal leaves what was known, and no page waits for a list that is only a way back.
    rooms.set(answer.ok ? answer.value.rooms : (rooms.get() ?? []));
  };
  const refreshWhenLive = (): void => {
    if (connection.status.get().status === 'live') void refresh();
  };
  refreshWhenLive();
  return {
    rooms,
    async end({ kind, code }) {
      const answer = await connection.request('rooms/leave', { kind, code, ends: true });
      await refresh();
      return answer;
    },
    close: connection.status.subscribe(refreshWhenLive),
  };
}
