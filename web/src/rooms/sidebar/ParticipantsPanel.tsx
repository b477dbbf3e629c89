/** The participants: the host with a crown, the others with their presence. */
import { isLargeRoom } from '@tunemate/domain';
import type { RoomDocument, UserCard } from '@tunemate/protocol';
import { memo } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { RemoteIcon } from '../../ui/icons/marks.tsx';
import { ChevronDownIcon } from '../../ui/icons/inside-icons.tsx';
import { List } from '../../ui/lists/List.tsx';
import { Row } from '../../ui/lists/Row.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Avatar, type AvatarBadge } from '../../ui/records/Avatar.tsx';
import { peopleInOrder } from '../visit/room-model.ts';
import styles from './PeopleLine.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

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
  action?: Elements;
  /** Below the list, in a large room. */
  more?: Elements;
  onPerson: (person: UserCard) => void;
}) {
  const isLarge = isLargeRoom(room.people);
  const holders = new Set<string>(room.remoteHolders);
  return (
    <Section title={t`Participants`} count={room.people} action={action}>
      <div className={classNames(styles.people, room.people <= oneColumn && styles.few)}>
        <List>
          {peopleInOrder(room).map(({ uid, name, online }) => {
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
      </div>
      {more}
    </Section>
  );
});

function RemoteMark() {
  return (
    <>
      <RemoteIcon size={16} />
      <VisuallyHidden>{t`Holds the remote`}</VisuallyHidden>
    </>
  );
}

/** More people stand in two columns where the sidebar is wide enough. */
const oneColumn = 4;

function roleOf(isSelf: boolean, isHost: boolean): string | undefined {
  if (isSelf) return isHost ? t`You, host` : t`You`;
  return isHost ? t`Host` : undefined;
}

const avatars = 5;

/** The folded panel: some avatars and the number of participants, as one button. */
export function PeopleLine({ room, onPress }: { room: RoomDocument; onPress: () => void }) {
  const people = peopleInOrder(room);
  return (
    <button type="button" className={styles.line} aria-expanded={false} onClick={onPress}>
      <VisuallyHidden>{`${t`Participants,`} `}</VisuallyHidden>
      <span className={styles.avatars} aria-hidden="true">
        {people.slice(0, avatars).map(({ uid, name }) => (
          <Avatar key={uid} id={uid} name={name} size="sm" />
        ))}
      </span>
      <span className={styles.count}>{t`${String(room.people)} here`}</span>
      <ChevronDownIcon />
    </button>
  );
}
