/** Who is typing to the user, for the list of chats. Typing may be lost, and expires. */
import type { Uid } from '@tunemate/protocol';
import { onUserEvent } from '../../connection/person-updates.ts';
import type { Connection } from '../../connection/port.ts';
import { cell, type Readable } from '../../store/cell.ts';
import type { Clock } from '../../store/clock.ts';

/** Longer than the pause between two events of somebody who goes on typing. */
const shownMs = 5000;

export function createTypingPeople(connection: Connection, clock: Clock): Readable<ReadonlySet<Uid>> {
  const people = cell<ReadonlySet<Uid>>(new Set());
  const ends = new Map<Uid, () => void>();

  function stop(uid: Uid): void {
    ends.get(uid)?.();
    if (ends.delete(uid)) people.set(new Set(ends.keys()));
  }
  connection.onEphemeral((event) => {
    if (event.type !== 'chats/typing') return;
    const { uid } = event;
    ends.get(uid)?.();
    ends.set(
      uid,
      clock.schedule(() => stop(uid), shownMs),
    );
    if (!people.get().has(uid)) people.set(new Set(ends.keys()));
  });
  onUserEvent(connection, (change) => {
    if (change.type === 'chats/messageSent') stop(change.message.sender);
  });
  return people;
}
