/** A player without a picture of its own: a large sleeve beside title, status, level bar and controls. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './SleevePlayer.module.css';
import type { Elements } from '../OwnText.tsx';

/** `compact` shrinks it to one strip on phones (while a conversation is open), `strip` on wide screens too. */
interface SleevePlayerProps {
  label: string;
  /** A `Sleeve` without a size of its own. */
  sleeve: Elements;
  title: Elements;
  status: string;
  times?: string | undefined;
  /** A `LevelBar`. */
  level?: Elements;
  /** A solo `DeckButton`; left out for users without control. */
  playButton?: Elements;
  seek: Elements;
  note?: ReactNode;
  compact?: boolean | 'strip' | undefined;
}

export function SleevePlayer(props: SleevePlayerProps) {
  const { label, sleeve, title, status, times, level, playButton, seek, note, compact } = props;
  return (
    <section
      className={classNames(styles.box, compact && styles.compact, compact === 'strip' && styles.strip)}
      aria-label={label}
    >
      <div className={styles.player}>
        {sleeve}
        <div className={styles.deck}>
          {title}
          <p className={styles.status}>
            <strong>{status}</strong> <span dir="ltr">{times}</span>
          </p>
          {level}
          <div className={styles.controls}>
            {playButton}
            {seek}
          </div>
          {note && <p className={styles.note}>{note}</p>}
        </div>
      </div>
    </section>
  );
}
