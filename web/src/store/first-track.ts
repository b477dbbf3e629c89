/**
 * What plays at once in a room that its host has just created, as the state of the room's address: the newest track of
 * the library after 'Try it now', or the track of the card on which 'Listen together' was pressed.
 */
import type { NamedTrack } from '@tunemate/protocol';

export const triedState = 'tried';

export interface FirstTrack {
  readonly first: NamedTrack;
}

/** The address of the room in which 'Try it now' plays. */
let triedIn: string | null = null;

/** Whether the room of this page was opened by 'Try it now'. */
export const isTried = (): boolean => triedIn === location.pathname;

/** Takes it: coming back to this page is no press. */
export function takeFirstTrack(): typeof triedState | NamedTrack | null {
  const state = history.state as typeof triedState | Partial<FirstTrack> | null;
  const first = state === triedState ? state : (state?.first ?? null);
  if (first !== null) history.replaceState(null, '');
  if (first === triedState) triedIn = location.pathname;
  return first;
}
