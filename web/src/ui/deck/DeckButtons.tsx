/** Joined square keys of a player. Which keys exist and what they do is the caller's. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './DeckButtons.module.css';

/** The frame around joined keys. */
export function DeckButtons({ label, children }: { label: string; children: ReactNode }) {
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div className={styles.keys} {...group}>
      {children}
    </div>
  );
}

/** `main` prints the key wide in the band ink; `solo` rounds a main key that stands alone. */
export interface DeckKeyProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string;
  icon: ReactNode;
  main?: boolean | undefined;
  solo?: boolean | undefined;
}

/** One player key, 56 x 52 px (76 wide when `main`). */
export function DeckKey({ label, icon, main, solo, ...rest }: DeckKeyProps) {
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
