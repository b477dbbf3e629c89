/** Joined 46 px keys in one frame. Children are `ActionKey` or `ActionKeyLink`. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../class-names.ts';
import styles from './ActionButtons.module.css';

/** What every key has; `danger` colours the word and icon. */
export interface ActionButtonLook {
  icon?: ReactNode;
  danger?: boolean | undefined;
  children: string;
}

/** The frame; `label` names the group, e.g. whom the keys act on. */
export function ActionButtons({ label, children }: { label: string; children: ReactNode }) {
  // A fieldset would bring a border and a legend; a named group is what is meant.
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div className={styles.keys} {...group}>
      {children}
    </div>
  );
}

/** A key that acts. */
export function ActionKey({ icon, danger, children, onPress }: ActionButtonLook & { onPress: () => void }) {
  return (
    <button type="button" className={classNames(styles.key, danger && styles.danger)} onClick={onPress}>
      {icon}
      {children}
    </button>
  );
}

/** A key that goes somewhere. */
export function ActionKeyLink({ icon, danger, children, href }: ActionButtonLook & { href: string }) {
  return (
    <Link href={href} className={classNames(styles.key, danger && styles.danger)}>
      {icon}
      {children}
    </Link>
  );
}
