/** The current user's soulmate, if there is one, and the requests to become soulmates or end it. */
import type { AskedSoulmate, Result, SoulmateCard, Uid } from '@tunemate/protocol';
import { newClientId } from '../connection/ids.ts';
import { cardAfter, onUserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import { patience } from '../connection/retry.ts';
import { cell, type Readable } from '../store/cell.ts';

export type SoulmateState =
  /** Before the first snapshot. */
  | { readonly status: 'unknown' }
  | { readonly status: 'none' }
  | { readonly status: 'bound'; readonly soulmate: SoulmateCard };

export interface SoulmateModel {
  readonly soulmate: Readable<SoulmateState>;
  /** The user's pending requests, newest first. */
  readonly asked: Readable<readonly AskedSoulmate[]>;
  /** Sends the request. Refusals: soulmate/taken, soulmate/self-taken, access/forbidden, limit/too-many. */
  ask(uid: Uid): Promise<Result<object>>;
  /** Answers a request by the notification that carried it. */
  accept(notificationId: string): Promise<Result<object>>;
  decline(notificationId: string): Promise<Result<object>>;
  takeBack(uid: Uid): Promise<Result<object>>;
  /** The user's tunemates that have a soulmate. */
  taken(): Promise<Result<{ uids: Uid[] }>>;
  part(): Promise<Result<object>>;
}

const stateOf = (soulmate: SoulmateCard | null): SoulmateState =>
  soulmate === null ? { status: 'none' } : { status: 'bound', soulmate };

export function createSoulmateModel(connection: Connection): SoulmateModel {
  const soulmate = cell<SoulmateState>({ status: 'unknown' });
  const asked = cell<readonly AskedSoulmate[]>([]);

  connection.onUserSnapshot((snapshot) => {
    soulmate.set(stateOf(snapshot.soulmate));
    asked.set(snapshot.asked);
  });
  onUserEvent(connection, (event) => {
    if (event.type === 'soulmate/changed') soulmate.set(stateOf(event.soulmate));
    if (event.type === 'soulmate/asked') asked.set(event.asked);
    if (event.type === 'presence/changed') {
      const { presence } = event;
      learn(presence.uid, (card) => ({ ...card, presence }));
    }
    if (event.type === 'people/changed') learn(event.person.uid, (card) => cardAfter(card, event));
  });

  function learn(uid: Uid, after: (card: SoulmateCard) => SoulmateCard): void {
    const current = soulmate.get();
    if (current.status === 'bound' && current.soulmate.uid === uid) soulmate.set(stateOf(after(current.soulmate)));
  }

  return {
    soulmate,
    asked,
    ask: (uid) => connection.requestUntilAnswered('soulmate/ask', { clientId: newClientId(), uid }, patience()),
    accept: (id) => connection.request('soulmate/accept', { id }),
    decline: (id) => connection.request('soulmate/decline', { id }),
    takeBack: (uid) => connection.request('soulmate/takeBack', { uid }),
    taken: () => connection.request('soulmate/taken', {}),
    part: () => connection.request('soulmate/part', {}),
  };
}
