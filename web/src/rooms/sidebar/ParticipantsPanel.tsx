/** The participants below their heading, or folded to one line. */
import type { RoomDocument } from '@tunemate/protocol';
import { memo } from 'react';
import { lazyPart } from '../../store/lazy-part.ts';
import { classNames } from '../../ui/class-names.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { ChevronDownIcon } from '../../ui/icons/inside-icons.tsx';
import { Section } from '../../ui/lists/Section.tsx';
import { Avatar } from '../../ui/records/Avatar.tsx';
import { peopleInOrder } from '../visit/room-model.ts';
import { type PeopleProps, PeopleRows } from './PeopleRows.tsx';
import styles from './PeopleLine.module.css';
import type { Elements } from '../../ui/OwnText.tsx';
import { t } from '../../language/t.ts';

const AllPeople = lazyPart(async () => (await import('./AllPeople.tsx')).AllPeople);

interface ParticipantsPanelProps extends PeopleProps {
  /** Beside the heading. */
  action?: Elements;
  /** Below the list, in a large room. */
  more?: Elements;
}

export const ParticipantsPanel = memo(function ParticipantsPanel(props: ParticipantsPanelProps) {
  const { room, selfUid, action, more, onPerson } = props;
  const all = { room, selfUid, onPerson };
  const count = room.participants.length > whole ? <AllPeople fallback={room.people} {...all} /> : room.people;
  return (
    <Section title={t`Participants`} count={count} action={action}>
      <div className={classNames(styles.people, room.people <= oneColumn && styles.few)}>
        <PeopleRows people={peopleInOrder(room)} {...all} />
      </div>
      {more}
    </Section>
  );
});

/** More people stand in two columns where the sidebar is wide enough. */
const oneColumn = 4;
/** So many are whole in the sidebar; of more the heading opens the list. */
const whole = 8;

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
