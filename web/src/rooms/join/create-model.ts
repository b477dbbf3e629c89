/** Creating a room: checks and sends the name, and has the code that the server returns. */
import { isBlank, limits, type ClientId, type Refusal, type RoomKind } from '@tunemate/protocol';
import { newClientId } from '../../connection/ids.ts';
import type { Connection } from '../../connection/port.ts';
import { patience } from '../../connection/retry.ts';
import { sentences, tryAgainIn } from '../../words/errors.ts';
import { cell, type Readable } from '../../store/cell.ts';
import { factsOf } from '../room-kinds.ts';

import { t } from '../../language/t.ts';
export type CreateStatus =
  | { readonly status: 'naming'; readonly nameError: string | null; readonly failure: CreateFailure | null }
  | { readonly status: 'creating' }
  | { readonly status: 'created'; readonly code: string; readonly name: string };

/** The content of the OK modal. */
export interface CreateFailure {
  readonly message: string;
  readonly text?: string;
}

export interface CreateModel {
  readonly status: Readable<CreateStatus>;
  create(typedName: string): Promise<void>;
  /** Clears the error and the failure. */
  forget(): void;
}

const naming: CreateStatus = { status: 'naming', nameError: null, failure: null };

export function createCreateModel(connection: Connection, kind: RoomKind, newId = newClientId): CreateModel {
  const status = cell<CreateStatus>(naming);
  /** A retry with the same name sends the same client id, so that a lost answer doesn't create a second room. */
  let attempt: { name: string; clientId: ClientId } | null = null;

  async function create(typedName: string): Promise<void> {
    if (status.get().status === 'creating') return;
    const name = typedName.trim();
    if (isBlank(name)) return complain(t`Please enter a Room Name`);
    if (Array.from(name).length > limits.roomNameLength) return complain(t`A room name has at most 100 characters`);
    if (attempt?.name !== name) attempt = { name, clientId: newId() };
    status.set({ status: 'creating' });
    const result = await connection.requestUntilAnswered(
      'rooms/create',
      { clientId: attempt.clientId, kind, name },
      patience(),
    );
    if (result.ok) status.set({ status: 'created', code: result.value.code, name });
    else if (result.error.code === 'input/invalid') complain(t`This name holds characters that cannot be shown`);
    else status.set({ status: 'naming', nameError: null, failure: failureOf(result.error) });
  }

  const complain = (nameError: string): void => status.set({ status: 'naming', nameError, failure: null });

  function failureOf({ code, retryAfterMs }: Refusal): CreateFailure {
    const message = factsOf(kind).createFailed;
    if (code === 'room/too-many-live-rooms') return { message, text: sentences[code] };
    return retryAfterMs === undefined ? { message } : { message, text: tryAgainIn(retryAfterMs) };
  }

  return {
    status,
    create,
    forget: () => status.update((now) => (now.status === 'naming' ? naming : now)),
  };
}
