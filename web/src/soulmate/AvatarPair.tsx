/** Two overlapping avatars. Decorative: the names are beside it. */
import { Avatar, type AvatarSize } from '../ui/records/Avatar.tsx';
import styles from './AvatarPair.module.css';

export interface PairedPerson {
  readonly uid: string;
  readonly name: string;
}

export function AvatarPair({ one, other, size = 'md' }: { one: PairedPerson; other: PairedPerson; size?: AvatarSize }) {
  return (
    <span className={styles.pair}>
      <Avatar id={one.uid} name={one.name} size={size} />
      <Avatar id={other.uid} name={other.name} size={size} />
    </span>
  );
}
