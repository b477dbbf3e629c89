/** The bridge from the join model to React: a request lives as long as its page, and is taken back when that goes. */
import type { RoomKind } from '@tunemate/protocol';
import { useMemo } from 'react';
import type { Connection } from '../../connection/port.ts';
import { createJoinModel, type JoinModel } from '../../rooms/join-model.ts';
import { useReadable } from '../../store/use-readable.ts';
import { whileWatched } from '../../store/while-watched.ts';

/** Null for the moment before the page is there. */
export function useJoinModel(connection: Connection, kind: RoomKind): JoinModel | null {
  const page = useMemo(
    () =>
      whileWatched(
        () => createJoinModel(connection, kind),
        (opened) => opened.close(),
      ),
    [connection, kind],
  );
  return useReadable(page);
}
