/** The disc of a person who hears something: the picture of the track in the place of the presence dot. */
import type { Hearing, UserCard } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { useNow } from '../store/use-now.ts';
import { Avatar } from '../ui/records/Avatar.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { HearsPicture } from './Hears.tsx';
import styles from './Hears.module.css';
import { hearsWords } from './hearing-words.ts';

export function HearsDisc({ hears, other: { uid, name } }: { hears: Hearing; other: UserCard }) {
  const words = hearsWords(hears, useNow(useApp().serverNowMs));
  const hasPicture = hears.thumbnail !== null;
  return (
    <span className={styles.disc}>
      <Avatar id={uid} name={name} size="lg" badge={hasPicture ? undefined : 'online'} badgeIsNamed />
      <HearsPicture hears={hears} size={22} />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}
