/** The participants as a list: the host with a crown, the others with their presence. */
import { isLargeRoom } from '@tunemate/domain';
import type { Participant, RoomDocument, UserCard } from '@tunemate/protocol';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { RemoteIcon } from '../../ui/icons/marks.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Avatar, type AvatarBadge } from '../../ui/records/Avatar.tsx';
import { t } from '../../language/t.ts';

export interface PeopleProps {
  room: RoomDocument;
  selfUid: string;
  onPerson: (person: UserCard) => void;
}

/** Each person but oneself is a key. */
export function PeopleRows({ people, room, selfUid, onPerson }: PeopleProps & { people: readonly Participant[] }) {
  const isLarge = isLargeRoom(room.people);
  const holders = new Set<string>(room.remoteHolders);
  return (
    <List>
      {people.map(({ uid, name, online }) => {
        // A large room doesn't broadcast presence.
        const presence = isLarge ? undefined : online ? 'online' : 'offline';
        const badge: AvatarBadge | undefined = uid === room.host ? 'crown' : presence;
        return (
          <li key={uid}>
            <Row
              compact
              lead={<Avatar id={uid} name={name} size="sm" badge={badge} badgeIsNamed={badge === 'crown'} />}
              title={name}
              detail={roleOf(uid === selfUid, uid === room.host)}
              trail={holders.has(uid) && <RemoteMark />}
              onPress={uid !== selfUid ? () => onPerson({ uid, name }) : undefined}
            />
          </li>
        );
      })}
    </List>
  );
}

function roleOf(isSelf: boolean, isHost: boolean): string | undefined {
  if (isSelf) return isHost ? t`You, host` : t`You`;
  return isHost ? t`Host` : undefined;
}

function RemoteMark() {
  return (
    <>
      <RemoteIcon size={16} />
      <VisuallyHidden>{t`Holds the remote`}</VisuallyHidden>
    </>
  );
}
