/** One of the last messages under a closed dock, as a plain line. */
import type { ReactNode } from 'react';
import styles from './ChatDock.module.css';

export function MessageLine({ author, time, children }: { author: string; time: string; children: ReactNode }) {
  return (
    <p className={styles.messageLine}>
      <b dir="auto">{author}</b> <span dir="auto">{children}</span> <span className={styles.at}>{time}</span>
    </p>
  );
}
