/** Who is typing in a room, and that the user is. Loaded with its open chat. */
import { limits, type RoomDocument, type RoomMessage, type Uid } from '@tunemate/protocol';
import type { Connection } from '../../connection/port.ts';
import type { MessageLog } from '../../messages/message-log.ts';
import { createTypingPeople, typingSender } from '../../messages/typing-people.ts';
import type { Readable } from '../../store/cell.ts';
import { type Clock, deviceClock } from '../../store/clock.ts';
import { t } from '../../language/t.ts';

interface RoomTypingParts {
  readonly connection: Connection;
  readonly room: Pick<RoomDocument, 'kind' | 'code' | 'roomId'>;
  readonly self: string;
  readonly log: Readable<MessageLog<RoomMessage>>;
  readonly clock?: Pick<Clock, 'schedule' | 'now'>;
}

export function createRoomTyping({ connection, room, self, log, clock = deviceClock }: RoomTypingParts) {
  const { kind, code, roomId } = room;
  const { people, types, stop } = createTypingPeople(clock);
  const send = typingSender(connection, clock, () => void connection.request('rooms/typing', { kind, code }));
  const ends = [
    connection.onEphemeral((event) => {
      if (event.type === 'rooms/typing' && event.roomId === roomId && event.uid !== self) types(event.uid);
    }),
    // What they wrote has arrived.
    log.subscribe(() => {
      const last = log.get().messages.at(-1);
      if (last) stop(last.sender);
    }),
  ];

  return {
    people,
    /** In a room of so many people. */
    send(inRoom: number): void {
      if (inRoom <= limits.typingPeople) send();
    },
    close(): void {
      for (const end of ends) end();
      for (const uid of people.get()) stop(uid);
    },
  };
}

/** Empty while no person types; people whom the room does not name are left out. */
export function typingWords(typing: ReadonlySet<Uid>, named: readonly { uid: string; name: string }[]): string {
  const names = [...typing].flatMap((uid) => named.find((one) => one.uid === uid)?.name ?? []);
  const [first = '', second = ''] = names;
  if (names.length > 2) return t`Several people are typing…`;
  if (names.length === 2) return t`${first} and ${second} are typing…`;
  return names.length === 1 ? t`${first} is typing…` : '';
}
