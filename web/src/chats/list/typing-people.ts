/** Who is typing to the user, for the list of chats. Typing may be lost, and expires. */
import type { Uid } from '@tunemate/protocol';
import { onUserEvent } from '../../connection/person-updates.ts';
import type { Connection } from '../../connection/port.ts';
import { createTypingPeople } from '../../messages/typing-people.ts';
import type { Readable } from '../../store/cell.ts';
import type { Clock } from '../../store/clock.ts';

export function typingToUser(connection: Connection, clock: Clock): Readable<ReadonlySet<Uid>> {
  const { people, types, stop } = createTypingPeople(clock);
  connection.onEphemeral((event) => {
    if (event.type === 'chats/typing') types(event.uid);
  });
  onUserEvent(connection, (change) => {
    if (change.type === 'chats/messageSent') stop(change.message.sender);
  });
  return people;
}
