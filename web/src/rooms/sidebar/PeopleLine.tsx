/** The people shelf, folded: some of their avatars and how many are here, as one button. */
import type { RoomDocument } from '@tunemate/protocol';
import { ChevronDownIcon } from '../../ui/icons/icons.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { peopleInOrder } from '../visit/room-state.ts';
import styles from './PeopleLine.module.css';

const avatars = 5;

export function PeopleLine({ room, onPress }: { room: RoomDocument; onPress: () => void }) {
  const people = peopleInOrder(room);
  return (
    <button type="button" className={styles.line} aria-expanded={false} onClick={onPress}>
      <VisuallyHidden>Participants, </VisuallyHidden>
      <span className={styles.avatars} aria-hidden="true">
        {people.slice(0, avatars).map(({ uid, name }) => (
          <Avatar key={uid} id={uid} name={name} size="sm" />
        ))}
      </span>
      <span className={styles.count}>{room.people} here</span>
      <ChevronDownIcon />
    </button>
  );
}
