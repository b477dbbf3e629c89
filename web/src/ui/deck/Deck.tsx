/** The layout of a player. On a wide stage two lines: title and buttons for the picture; transport buttons, seek bar,
   sound and view toggle. Stacked on a narrow one, where the sound is one button. */
import type { ReactNode } from 'react';
import styles from './Deck.module.css';

/** `transport` buttons or `note` (who is playing), never both; `view` is a `SegmentedToggle`; `tools` are for the picture. */
interface DeckProps {
  label: string;
  title: ReactNode;
  seek: ReactNode;
  transport?: ReactNode;
  note?: ReactNode;
  view?: ReactNode;
  tools?: ReactNode;
  /** A button, and a slider that only a wide stage has. */
  sound?: ReactNode;
}

export function Deck({ label, title, seek, transport, note, view, tools, sound }: DeckProps) {
  return (
    <section className={styles.box} aria-label={label}>
      <div className={styles.deck}>
        <div className={styles.title}>{title}</div>
        {tools && <div className={styles.tools}>{tools}</div>}
        <div className={styles.seek}>{seek}</div>
        {transport && <div className={styles.keys}>{transport}</div>}
        {note && <p className={styles.note}>{note}</p>}
        {sound && <div className={styles.sound}>{sound}</div>}
        {view && <div className={styles.view}>{view}</div>}
      </div>
    </section>
  );
}
