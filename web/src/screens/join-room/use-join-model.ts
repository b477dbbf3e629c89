/**
 * The bridge from the join model to React: a request lives as long as the page, and is taken back when the page goes,
 * be it to another page of the app or altogether.
 */
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
        () => open(connection, kind),
        (opened) => opened.close(),
      ),
    [connection, kind],
  );
  return useReadable(page);
}

function open(connection: Connection, kind: RoomKind): JoinModel {
  const model = createJoinModel(connection, kind);
  const stopping = new AbortController();
  // Captured, to come before the connection says goodbye on the same event.
  window.addEventListener('pagehide', () => model.close(), { capture: true, signal: stopping.signal });
  return {
    ...model,
    close() {
      stopping.abort();
      model.close();
    },
  };
}
