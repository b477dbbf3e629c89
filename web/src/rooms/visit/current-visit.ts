/** The room that this tab visits, one at a time. The visit belongs to the app, so that music plays on every screen. */
import { cell, type Readable } from '../../store/cell.ts';
import type { RoomAddress } from '../room-kinds.ts';
import type { Visit } from './visit.ts';

export interface CurrentVisit extends Readable<Visit | null> {
  /** Replaces the current visit. The user stays a participant of the room before. */
  begin(open: () => Visit): void;
  end(): void;
}

export function createCurrentVisit(): CurrentVisit {
  const current = cell<Visit | null>(null);
  const change = (open: () => Visit | null): void => {
    current.get()?.close();
    current.set(open());
  };
  return { get: current.get, subscribe: current.subscribe, begin: change, end: () => change(() => null) };
}

export function isVisitTo(visit: RoomAddress | null, { kind, code }: RoomAddress): boolean {
  return visit?.kind === kind && visit.code.toUpperCase() === code.toUpperCase();
}
