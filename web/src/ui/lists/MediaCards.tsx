/** Up to five suggestions: side by side where the stage is wide, stacked where it is narrow. */
import type { ReactNode } from 'react';
import styles from './MediaCards.module.css';

/** Children are `<li>` elements holding a `MediaCard`. */
export function MediaCards({ children }: { children: ReactNode }) {
  return (
    <div className={styles.box}>
      <ul className={styles.cards}>{children}</ul>
    </div>
  );
}
