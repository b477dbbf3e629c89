/**
 * What a person's own screens are told of others: the numbered changes of their own stream, and news of people, which
 * are not numbered. Those may come late; what is known and newer stays.
 */
import type { UserChange, EphemeralEvent, PresenceRecord, SoulmateCard } from '@tunemate/protocol';
import type { Connection } from './port.ts';

/** Somebody's name or presence, as it is now. */
export type PersonNews = Extract<EphemeralEvent, { type: 'people/changed' }>;
export type UserEvent = UserChange | PersonNews;

export function onUserEvent(connection: Connection, listener: (news: UserEvent) => void): void {
  connection.onUserChange(listener);
  connection.onEphemeral((news) => {
    if (news.type === 'people/changed') listener(news);
  });
}

/** What is shown of a person after news of them. */
export function cardAfter<Card extends SoulmateCard>(card: Card, { person }: PersonNews): Card {
  return { ...card, name: person.name, presence: newest(card.presence, person.presence) };
}

/** The later of the two; what is told last when both are of the same moment. Null tells nothing. */
export function newest(known: PresenceRecord, told: PresenceRecord | null): PresenceRecord {
  return told !== null && told.last_changed >= known.last_changed ? told : known;
}
