/** Whether the library is open in a room; what is looked at is forgotten when it closes. */
import type { RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';
import type { LibraryModel } from './library-model.ts';

export interface OpenLibrary {
  /** Null while it is closed. */
  readonly model: Readable<LibraryModel | null>;
  open(): void;
  close(): void;
}

export function createOpenLibrary(connection: Connection, room: { kind: RoomKind; code: string }): OpenLibrary {
  const model = cell<LibraryModel | null>(null);
  let isWanted = false;
  return {
    model,
    open() {
      isWanted = true;
      // Loaded when it is first opened. When that fails nothing opens, and the next press tries again.
      import('./library-model.ts').then(
        ({ createLibraryModel }) => isWanted && model.update((open) => open ?? createLibraryModel(connection, room)),
        () => undefined,
      );
    },
    close() {
      isWanted = false;
      model.set(null);
    },
  };
}
