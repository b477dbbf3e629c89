/** Nothing here yet: a dashed sleeve, one sentence, and one hint or action. */
import { classNames } from '../class-names.ts';
import styles from './State.module.css';
import type { Elements } from '../OwnText.tsx';

interface EmptyStateProps {
  message: string;
  /** The heading of a page that has nothing else, which it stands in the middle of. */
  title?: string | undefined;
  hint?: string | undefined;
  /** Centres it in a tall page. */
  tall?: boolean | undefined;
  children?: Elements;
}

export function EmptyState({ message, title, hint, tall, children }: EmptyStateProps) {
  return (
    <div className={classNames(styles.state, (tall ?? title) && styles.tall)}>
      <span className={styles.sleeve} aria-hidden="true" />
      {title && <h1>{title}</h1>}
      <strong dir="auto">{message}</strong>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}
