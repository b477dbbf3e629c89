/** Who is in the room: the host with a crown, the others with their presence. */
import type { RoomDocument } from '@tunemate/protocol';
import { memo, type ReactNode } from 'react';
import { List } from '../ui/lists/List.tsx';
import { Row } from '../ui/lists/Row.tsx';
import { Section } from '../ui/lists/Section.tsx';
import { Avatar, type AvatarBadge } from '../ui/records/Avatar.tsx';
import { peopleInOrder } from './room-state.ts';

export const ParticipantsPanel = memo(function ParticipantsPanel({
  room,
  selfUid,
  action,
  onPerson,
}: {
  room: RoomDocument;
  selfUid: string;
  /** Beside the heading. */
  action?: ReactNode;
  /** Somebody else was pressed. */
  onPerson?: ((uid: string) => void) | undefined;
}) {
  return (
    <Section title="Participants" count={room.participants.length} action={action}>
      <List grid>
        {peopleInOrder(room).map(({ uid, name, online }) => {
          const badge: AvatarBadge = uid === room.host ? 'crown' : online ? 'online' : 'offline';
          return (
            <li key={uid}>
              <Row
                compact
                lead={<Avatar id={uid} name={name} size="sm" badge={badge} />}
                title={name}
                detail={uid === selfUid ? 'You' : undefined}
                onPress={onPerson && uid !== selfUid ? () => onPerson(uid) : undefined}
              />
            </li>
          );
        })}
      </List>
    </Section>
  );
});
