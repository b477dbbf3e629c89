/** A small number in a lozenge, with words for screen readers. */
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import { classNames } from '../class-names.ts';
import styles from './Badge.module.css';

interface BadgeProps {
  count: number;
  /** Read after the number, such as `new`. */
  words: string;
  /** In the colours of the band, where persimmon would be lost. */
  onBand?: boolean;
}

/** Nothing at zero, `99+` past ninety-nine. */
export function Badge({ count, words, onBand }: BadgeProps) {
  if (count <= 0) return null;
  return (
    <span className={classNames(styles.badge, onBand && styles.onBand)}>
      <span>{count > 99 ? '99+' : count}</span>
      <VisuallyHidden>{` ${words}`}</VisuallyHidden>
    </span>
  );
}
