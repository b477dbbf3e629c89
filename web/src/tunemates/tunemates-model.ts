/** The tunemates of the sidebar: the lists of both kinds of room as one, each person once. */
import type { Result, RoomCode, RoomKind, Tunemate, Uid } from '@tunemate/protocol';
import { newClientId } from '../connection/ids.ts';
import { cardAfter, onUserEvent, type UserEvent } from '../connection/person-updates.ts';
import type { Connection } from '../connection/port.ts';
import { patience } from '../connection/retry.ts';
import { cell, type Readable } from '../store/cell.ts';

export interface TunematesModel {
  /** Null until the first snapshot. */
  readonly tunemates: Readable<readonly Tunemate[] | null>;
  /** Sends a 'now-playing' notification. Refusals: access/forbidden (no tunemate any more), limit/too-many. */
  invite(uid: Uid): Promise<Result<object>>;
  /** Asks a person in the same room. */
  ask(uid: Uid, room: { kind: RoomKind; code: RoomCode }): Promise<Result<object>>;
  /** By the notification. */
  answer(id: string, isYes: boolean): Promise<Result<object>>;
  /** Removes both people from each other's list. */
  remove(uid: Uid): Promise<Result<object>>;
}

export function createTunematesModel(connection: Connection): TunematesModel {
  const tunemates = cell<readonly Tunemate[] | null>(null);

  connection.onUserSnapshot((snapshot) => tunemates.set(snapshot.tunemates));
  onUserEvent(connection, (change) =>
    tunemates.update((current) => (current === null ? null : afterChange(current, change))),
  );

  return {
    tunemates,
    invite: (uid) =>
      connection.requestUntilAnswered('notifications/invite', { clientId: newClientId(), uid }, patience()),
    ask: (uid, { kind, code }) =>
      connection.requestUntilAnswered('tunemates/ask', { kind, code, clientId: newClientId(), uid }, patience()),
    answer: (id, isYes) => connection.request(isYes ? 'tunemates/accept' : 'tunemates/decline', { id }),
    remove: (uid) => connection.request('tunemates/remove', { uid }),
  };
}

/** The list after a change; the same array when the change does not concern it. */
export function afterChange(list: readonly Tunemate[], change: UserEvent): readonly Tunemate[] {
  if (change.type === 'presence/changed') {
    const { presence } = change;
    return replaced(list, presence.uid, (mate) => ({ ...mate, presence }));
  }
  if (change.type === 'people/changed') return replaced(list, change.person.uid, (mate) => cardAfter(mate, change));
  if (change.type === 'tunemates/added') {
    // The person met last is first, as in the snapshot.
    return [change.tunemate, ...list.filter(({ uid }) => uid !== change.tunemate.uid)];
  }
  if (change.type !== 'tunemates/removed') return list;
  return list.map((mate) => (mate.uid === change.uid ? without(mate, change.metIn) : mate)).filter(isStillKnown);
}

const isStillKnown = (mate: Tunemate): boolean => mate.metIn.length > 0;

function without(mate: Tunemate, metIn: Tunemate['metIn']): Tunemate {
  return { ...mate, metIn: mate.metIn.filter((kind) => !metIn.includes(kind)) };
}

function replaced(list: readonly Tunemate[], uid: Uid, by: (mate: Tunemate) => Tunemate): readonly Tunemate[] {
  if (!list.some((mate) => mate.uid === uid)) return list;
  return list.map((mate) => (mate.uid === uid ? by(mate) : mate));
}
