/** A small number in a persimmon lozenge, with words for screen readers. */
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Badge.module.css';

/** Nothing at zero, `99+` past ninety-nine; `words` is read after the number, e.g. `new`. */
export function Badge({ count, words }: { count: number; words: string }) {
  if (count <= 0) return null;
  return (
    <span className={styles.badge}>
      {count > 99 ? '99+' : count}
      <VisuallyHidden> {words}</VisuallyHidden>
    </span>
  );
}
