/** Joined square buttons of a player. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './DeckButtons.module.css';

export function DeckButtons({ label, children }: { label: string; children: ReactNode }) {
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div className={styles.keys} dir="ltr" {...group}>
      {children}
    </div>
  );
}

/** `main` makes the button wide, in the band ink; `solo` rounds a main button without neighbours. */
interface DeckButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string;
  icon: ReactNode;
  main?: boolean | undefined;
  solo?: boolean | undefined;
}

/** One player button, 56 x 52 px (76 wide when `main`). */
export function DeckButton({ label, icon, main, solo, ...rest }: DeckButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={classNames(styles.key, main && styles.main, solo && styles.solo)}
    >
      {icon}
    </button>
  );
}
