/** Words for screen readers only: present in the tree, absent on the page. */
import type { ReactNode } from 'react';
import styles from './VisuallyHidden.module.css';

/** Inline text that is read aloud but not seen. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
