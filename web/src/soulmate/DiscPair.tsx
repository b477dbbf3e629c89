/** Two people side by side, overlapping. Decorative: the names stand beside it. */
import { Disc, type DiscSize } from '../ui/records/Disc.tsx';
import styles from './DiscPair.module.css';

export interface PairedPerson {
  readonly uid: string;
  readonly name: string;
}

export function DiscPair({ one, other, size = 'md' }: { one: PairedPerson; other: PairedPerson; size?: DiscSize }) {
  return (
    <span className={styles.pair}>
      <Disc id={one.uid} name={one.name} size={size} />
      <Disc id={other.uid} name={other.name} size={size} />
    </span>
  );
}
