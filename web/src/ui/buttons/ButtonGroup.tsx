/** Buttons that belong together: a stack, or with `inline` a row from 769 px up. */
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './ButtonGroup.module.css';

export function ButtonGroup({ inline, children }: { inline?: boolean | undefined; children: ReactNode }) {
  return <div className={classNames(styles.group, inline && styles.inline)}>{children}</div>;
}
