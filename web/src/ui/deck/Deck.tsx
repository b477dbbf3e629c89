/** The layout of a player. On a wide stage two lines: title and keys for the picture; buttons, seek bar, sound and view
   toggle. Stacked on a narrow one, where the sound is one key. */
import type { ReactNode } from 'react';
import styles from './Deck.module.css';

/** `keys` or `note` (who is playing), never both; `view` is a `SegmentedToggle`; `tools` are keys for the picture. */
export interface DeckProps {
  label: string;
  title: ReactNode;
  seek: ReactNode;
  keys?: ReactNode;
  note?: ReactNode;
  view?: ReactNode;
  tools?: ReactNode;
  /** A key, and a slider that only a wide stage has. */
  sound?: ReactNode;
}

/** The player's controls as one named section. */
export function Deck({ label, title, seek, keys, note, view, tools, sound }: DeckProps) {
  return (
    <section className={styles.box} aria-label={label}>
      <div className={styles.deck}>
        <div className={styles.title}>{title}</div>
        {tools && <div className={styles.tools}>{tools}</div>}
        <div className={styles.seek}>{seek}</div>
        {keys && <div className={styles.keys}>{keys}</div>}
        {note && <p className={styles.note}>{note}</p>}
        {sound && <div className={styles.sound}>{sound}</div>}
        {view && <div className={styles.view}>{view}</div>}
      </div>
    </section>
  );
}
