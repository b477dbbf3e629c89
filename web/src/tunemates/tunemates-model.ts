/**
 * The people of the sidebar: both connection lists as one, each person once (D3), and what can be done with them.
 * The lists are the server's; here they are only followed.
 */
import type { OwnChange, Result, Tunemate, Uid } from '@tunemate/protocol';
import { newClientId } from '../connection/client-id.ts';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export interface TunematesModel {
  /** Null until the first snapshot. */
  readonly tunemates: Readable<readonly Tunemate[] | null>;
  /** Sends a 'now-playing' notification. Refusals: access/forbidden (no tunemate any more), limit/too-many. */
  invite(uid: Uid): Promise<Result<object>>;
  /** Ends it on both sides. */
  remove(uid: Uid): Promise<Result<object>>;
}

export function createTunematesModel(connection: Connection): TunematesModel {
  const tunemates = cell<readonly Tunemate[] | null>(null);

  connection.onOwnSnapshot((snapshot) => tunemates.set(snapshot.tunemates));
  connection.onOwnChange((change) =>
    tunemates.update((current) => (current === null ? null : afterChange(current, change))),
  );

  return {
    tunemates,
    invite: (uid) => connection.requestUntilAnswered('notifications/invite', { clientId: newClientId(), uid }),
    remove: (uid) => connection.request('tunemates/remove', { uid }),
  };
}

/** The list after one change; the same list when the change is not about it. */
export function afterChange(list: readonly Tunemate[], change: OwnChange): readonly Tunemate[] {
  if (change.type === 'presence/changed') return withNews(list, change.presence.uid, { presence: change.presence });
  if (change.type === 'accounts/renamed') return withNews(list, change.uid, { name: change.name });
  if (change.type === 'tunemates/added') {
    // The last one met stands first, as in the snapshot.
    return [change.tunemate, ...list.filter(({ uid }) => uid !== change.tunemate.uid)];
  }
  if (change.type !== 'tunemates/removed') return list;
  return list.map((mate) => (mate.uid === change.uid ? without(mate, change.metIn) : mate)).filter(isStillKnown);
}

const isStillKnown = (mate: Tunemate): boolean => mate.metIn.length > 0;

function without(mate: Tunemate, metIn: Tunemate['metIn']): Tunemate {
  return { ...mate, metIn: mate.metIn.filter((kind) => !metIn.includes(kind)) };
}

function withNews(list: readonly Tunemate[], uid: Uid, news: Partial<Tunemate>): readonly Tunemate[] {
  if (!list.some((mate) => mate.uid === uid)) return list;
  return list.map((mate) => (mate.uid === uid ? { ...mate, ...news } : mate));
}
