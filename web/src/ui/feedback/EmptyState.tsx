/** Nothing here yet: a dashed sleeve, one sentence, and one hint or action. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './State.module.css';

interface EmptyStateProps {
  message: string;
  hint?: string | undefined;
  /** Centres it in a tall page. */
  tall?: boolean | undefined;
  children?: ReactNode;
}

export function EmptyState({ message, hint, tall, children }: EmptyStateProps) {
  return (
    <div className={classNames(styles.state, tall && styles.tall)}>
      <span className={styles.sleeve} aria-hidden="true" />
      <strong>{message}</strong>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}
