/** The layout of a player: title on top, buttons, seek bar and view toggle below; one row on a wide
   stage, stacked on a narrow one. */
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
}

/** The player's controls as one named section. */
export function Deck({ label, title, seek, keys, note, view, tools }: DeckProps) {
  return (
    <section className={styles.box} aria-label={label}>
      <div className={styles.deck}>
        <div className={styles.title}>
          <div className={styles.words}>{title}</div>
          {tools}
        </div>
        <div className={styles.seek}>{seek}</div>
        {keys && <div className={styles.keys}>{keys}</div>}
        {note && <p className={styles.note}>{note}</p>}
        {view && <div className={keys ? styles.view : styles.viewAlone}>{view}</div>}
      </div>
    </section>
  );
}
