/**
 * Which room this tab visits. The visit belongs to the app, so that the music goes on while other screens are shown.
 */
import type { RoomKind } from '@tunemate/protocol';

export interface Visit {
  readonly kind: RoomKind;
  /** As in the address; the server takes either case. */
  readonly code: string;
  /** Null until the room was entered. */
  readonly room: { readonly name: string; readonly isHost: boolean } | null;
}

export function isVisitTo(visit: Visit | null, { kind, code }: Pick<Visit, 'kind' | 'code'>): boolean {
  return visit?.kind === kind && visit.code.toUpperCase() === code.toUpperCase();
}
