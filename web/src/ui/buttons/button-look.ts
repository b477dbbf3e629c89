/** How buttons and button-shaped links look: one class list for both. */
import { classNames } from '../class-names.ts';
import styles from './Button.module.css';

/** `primary` wears the band ink; `ink` and `inkLine` go on coloured covers; `dangerFill` only ends a confirm. */
export type ButtonVariant = 'primary' | 'quiet' | 'ghost' | 'danger' | 'dangerFill' | 'ink' | 'inkLine';

/** The look shared by `Button` and `ButtonLink`. */
export interface ButtonLook {
  /** `quiet` by default. */
  variant?: ButtonVariant | undefined;
  /** 44 px high, for rows. */
  small?: boolean | undefined;
  /** As wide as its container. */
  block?: boolean | undefined;
}

/** The class list of a button-shaped element. */
export function buttonClass({ variant = 'quiet', small, block }: ButtonLook, extra?: string): string {
  return classNames(styles.button, styles[variant], small && styles.small, block && styles.block, extra);
}
