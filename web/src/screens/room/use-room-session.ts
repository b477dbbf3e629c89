/** The bridge from a visit's models to React: opened when the page is there, closed when it goes. */
import { useMemo } from 'react';
import { useReadable } from '../../store/use-readable.ts';
import { whileWatched } from '../../store/while-watched.ts';
import { page } from './page-ports.ts';
import { openRoomSession, type RoomSession, type SessionPorts } from './room-session.ts';

/** Null for the moment before the page is there. Another room, or another person, is another visit. */
export function useRoomSession({ connection, kind, code, selfUid, deviceSound }: SessionPorts): RoomSession | null {
  const visit = useMemo(
    () =>
      whileWatched(
        () => openRoomSession({ connection, kind, code, selfUid, deviceSound }, page),
        (session) => session.close(),
      ),
    [connection, kind, code, selfUid, deviceSound],
  );
  return useReadable(visit);
}
