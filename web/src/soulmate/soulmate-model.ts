/**
 * One's soulmate, or that there is none, and the steps towards and away from it. The server decides; here it is shown.
 */
import type { Result, SoulmateCard, Uid } from '@tunemate/protocol';
import { newClientId } from '../connection/client-id.ts';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export type SoulmateState =
  /** Not told yet. */
  | { readonly status: 'unknown' }
  | { readonly status: 'none' }
  | { readonly status: 'bound'; readonly soulmate: SoulmateCard };

export interface SoulmateModel {
  readonly soulmate: Readable<SoulmateState>;
  /** Sends the request. Refusals: soulmate/taken, soulmate/self-taken, access/forbidden, limit/too-many. */
  ask(uid: Uid): Promise<Result<object>>;
  /** Answers a request by the notification that carried it. */
  accept(notificationId: string): Promise<Result<object>>;
  decline(notificationId: string): Promise<Result<object>>;
  /** Ends it for both. */
  part(): Promise<Result<object>>;
}

const stateOf = (soulmate: SoulmateCard | null): SoulmateState =>
  soulmate === null ? { status: 'none' } : { status: 'bound', soulmate };

export function createSoulmateModel(connection: Connection): SoulmateModel {
  const soulmate = cell<SoulmateState>({ status: 'unknown' });

  connection.onOwnSnapshot((snapshot) => soulmate.set(stateOf(snapshot.soulmate)));
  connection.onOwnChange((change) => {
    if (change.type === 'soulmate/changed') soulmate.set(stateOf(change.soulmate));
    if (change.type === 'presence/changed') learn(change.presence.uid, { presence: change.presence });
    if (change.type === 'accounts/renamed') learn(change.uid, { name: change.name });
  });

  function learn(uid: Uid, news: Partial<SoulmateCard>): void {
    const current = soulmate.get();
    if (current.status !== 'bound' || current.soulmate.uid !== uid) return;
    soulmate.set(stateOf({ ...current.soulmate, ...news }));
  }

  return {
    soulmate,
    ask: (uid) => connection.requestUntilAnswered('soulmate/ask', { clientId: newClientId(), uid }),
    accept: (id) => connection.request('soulmate/accept', { id }),
    decline: (id) => connection.request('soulmate/decline', { id }),
    part: () => connection.request('soulmate/part', {}),
  };
}
