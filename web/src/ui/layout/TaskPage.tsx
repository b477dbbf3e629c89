/** A page with one task: a picture (a sleeve) beside the form; above it on phones. */
import type { ReactNode } from 'react';
import styles from './TaskPage.module.css';

/** `art` is a `Sleeve` without a size of its own; null where the form needs its place. */
export function TaskPage({ art, children }: { art: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.task}>
      {art && <div className={styles.art}>{art}</div>}
      <div className={styles.body}>{children}</div>
    </div>
  );
}
