/** Who is in the room: the host with a crown, the others with their presence. */
import { isLargeRoom } from '@tunemate/domain';
import type { RoomDocument, UserCard } from '@tunemate/protocol';
import { memo, type ReactNode } from 'react';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Avatar, type AvatarBadge } from '../../ui/records/Avatar.tsx';
import { peopleInOrder } from '../visit/room-state.ts';

export const ParticipantsPanel = memo(function ParticipantsPanel({
  room,
  selfUid,
  action,
  more,
  onPerson,
}: {
  room: RoomDocument;
  selfUid: string;
  /** Beside the heading. */
  action?: ReactNode;
  /** Below the list, where it does not name everybody. */
  more?: ReactNode;
  /** Somebody else was pressed. */
  onPerson: (person: UserCard) => void;
}) {
  const isLarge = isLargeRoom(room.people);
  return (
    <Section title="Participants" count={room.people} action={action}>
      <List grid>
        {peopleInOrder(room).map(({ uid, name, online }) => {
          // Who is online is not told in a large room.
          const presence = isLarge ? undefined : online ? 'online' : 'offline';
          const badge: AvatarBadge | undefined = uid === room.host ? 'crown' : presence;
          return (
            <li key={uid}>
              <Row
                compact
                lead={<Avatar id={uid} name={name} size="sm" badge={badge} />}
                title={name}
                detail={uid === selfUid ? 'You' : undefined}
                onPress={uid !== selfUid ? () => onPerson({ uid, name }) : undefined}
              />
            </li>
          );
        })}
      </List>
      {more}
    </Section>
  );
});
