/** What the user's soulmate and tunemates hear, of those who show it. Of people without such a tie nothing is known. */
import type { Hearing, Uid, UserSnapshot } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import type { Cell } from '../store/cell.ts';

export type Hears = ReadonlyMap<Uid, Hearing>;

/** Keeps the cell as the snapshot says, and as each change after it. */
export function followHearing(connection: Connection, hears: Cell<Hears>, first: UserSnapshot): void {
  let soulmate: Uid | null = null;
  const take = (snapshot: UserSnapshot): void => {
    soulmate = snapshot.soulmate?.uid ?? null;
    hears.set(new Map((snapshot.hears ?? []).map((one) => [one.uid, one])));
  };
  const set = (uid: Uid | null, to: Hearing | null): void => {
    if (uid === null || (to === null && !hears.get().has(uid))) return;
    const after = new Map(hears.get());
    if (to === null) after.delete(uid);
    else after.set(uid, to);
    hears.set(after);
  };

  take(first);
  connection.onUserSnapshot(take);
  connection.onEphemeral((event) => {
    if (event.type === 'presence/hears') set(event.uid, event.hears);
  });
  connection.onUserChange((change) => {
    // What a person shows after the end of a tie, the server sends again where another one is left.
    if (change.type === 'presence/hearingEnded' || change.type === 'tunemates/removed') set(change.uid, null);
    if (change.type !== 'soulmate/changed') return;
    if (change.soulmate === null) set(soulmate, null);
    soulmate = change.soulmate?.uid ?? null;
  });
}
