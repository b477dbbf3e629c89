/**
 * Updates about other people: the numbered changes of the user stream, and ephemeral events. The latter may arrive late,
 * so a newer known state is kept.
 */
import type { UserChange, EphemeralEvent, PresenceRecord, SoulmateCard } from '@tunemate/protocol';
import type { Connection } from './port.ts';

export type PersonNews = Extract<EphemeralEvent, { type: 'people/changed' }>;
export type UserEvent = UserChange | PersonNews;

export function onUserEvent(connection: Connection, listener: (event: UserEvent) => void): void {
  connection.onUserChange(listener);
  connection.onEphemeral((event) => {
    if (event.type === 'people/changed') listener(event);
  });
}

export function cardAfter<Card extends SoulmateCard>(card: Card, { person }: PersonNews): Card {
  return { ...card, name: person.name, presence: newest(card.presence, person.presence) };
}

/** The later of the two; of two with the same time the one that came last. Null changes nothing. */
export function newest(known: PresenceRecord, received: PresenceRecord | null): PresenceRecord {
  return received !== null && received.last_changed >= known.last_changed ? received : known;
}
