/** A titled block: heading, a count or an action at its right, content below. `panel` sets it on a sheet. */
import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './Section.module.css';
import type { Elements } from '../OwnText.tsx';

/** `count` is words or a number (`5`, `8 / 50`); `action` is a small button. */
interface SectionProps {
  title: string;
  count?: ReactNode;
  action?: Elements;
  panel?: boolean | undefined;
  /** Aligns the heading with the content's edge instead of with the words inside rows. */
  flush?: boolean | undefined;
  /** `scroll` lets the content scroll under a fixed heading; the parent must limit the height. */
  scroll?: boolean | undefined;
  children: ReactNode;
}

export function Section({ title, count, action, panel, flush, scroll, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classNames(styles.section, panel && styles.panel, flush && styles.flush, scroll && styles.scroll)}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && <span className={styles.count}>{count}</span>}
        {action}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
