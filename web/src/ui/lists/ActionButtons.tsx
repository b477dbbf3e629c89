/** Joined 46 px buttons in one frame. Children are `ActionButton` or `ActionButtonLink`. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../class-names.ts';
import styles from './ActionButtons.module.css';
import type { Elements } from '../OwnText.tsx';

interface ActionButtonLook {
  icon?: Elements;
  danger?: boolean | undefined;
  children: string;
}

/** `label` names the group, e.g. the person whom the buttons concern. */
export function ActionButtons({ label, children }: { label: string; children: ReactNode }) {
  const group = { role: 'group', 'aria-label': label } as const;
  return (
    <div className={styles.keys} {...group}>
      {children}
    </div>
  );
}

export function ActionButton({ icon, danger, children, onPress }: ActionButtonLook & { onPress: () => void }) {
  return (
    <button type="button" className={classNames(styles.key, danger && styles.danger)} onClick={onPress}>
      {icon}
      <span>{children}</span>
    </button>
  );
}

export function ActionButtonLink({ icon, danger, children, href }: ActionButtonLook & { href: string }) {
  return (
    <Link href={href} className={classNames(styles.key, danger && styles.danger)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
