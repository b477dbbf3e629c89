/** One message as a plain line: a name, then the text. */
import type { ReactNode } from 'react';
import styles from './ChatDock.module.css';

/** For the last messages under a closed dock. `time` is words. */
export function MessageLine({ author, time, children }: { author: string; time: string; children: ReactNode }) {
  return (
    <p className={styles.messageLine}>
      <b>{author}</b> {children} <span className={styles.at}>{time}</span>
    </p>
  );
}
