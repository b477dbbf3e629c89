/** One message as a plain line: a name, then the text. */
import type { ReactNode } from 'react';
import styles from './ChatDock.module.css';

/** For the last messages under a closed dock. */
export function MessageLine({ author, children }: { author: string; children: ReactNode }) {
  return (
    <p className={styles.messageLine}>
      <b>{author}</b> {children}
    </p>
  );
}
