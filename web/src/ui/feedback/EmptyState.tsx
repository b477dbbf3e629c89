/** Nothing here yet: a dashed sleeve, one sentence, and one hint or action. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './State.module.css';

/** `message` is the sentence; `hint` and `children` (an action) are optional. */
export interface EmptyStateProps {
  message: string;
  hint?: string | undefined;
  /** Centres it in a tall page. */
  tall?: boolean | undefined;
  children?: ReactNode;
}

/** An empty list or player. */
export function EmptyState({ message, hint, tall, children }: EmptyStateProps) {
  return (
    <div className={classNames(styles.state, tall && styles.tall)}>
      <EmptySleeve />
      <strong>{message}</strong>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}

/** The dashed sleeve alone. Decorative. */
export function EmptySleeve() {
  return <span className={styles.sleeve} aria-hidden="true" />;
}
