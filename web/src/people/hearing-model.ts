/** What the user's soulmate and tunemates hear, of those who show it. Of people without such a tie nothing is known. */
import type { Hearing, Uid } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, type Readable } from '../store/cell.ts';

export type HearingModel = Readable<ReadonlyMap<Uid, Hearing>>;

export function createHearingModel(connection: Connection): HearingModel {
  const hears = cell<ReadonlyMap<Uid, Hearing>>(new Map());
  let soulmate: Uid | null = null;
  const set = (uid: Uid | null, to: Hearing | null): void => {
    if (uid === null || (to === null && !hears.get().has(uid))) return;
    const after = new Map(hears.get());
    if (to === null) after.delete(uid);
    else after.set(uid, to);
    hears.set(after);
  };

  connection.onUserSnapshot((snapshot) => {
    soulmate = snapshot.soulmate?.uid ?? null;
    hears.set(new Map((snapshot.hears ?? []).map((one) => [one.uid, one])));
  });
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
  return hears;
}
