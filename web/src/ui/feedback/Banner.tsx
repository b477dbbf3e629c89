/** A notice that lasts five seconds and shows how long it has left; it waits while the pointer or the focus is in it.
   It takes no focus, and what it announces also stands elsewhere on the page. */
import type { ReactNode } from 'react';
import { Avatar } from '../records/Avatar.tsx';
import { classNames } from '../class-names.ts';
import styles from './Banner.module.css';
import { useHolding, useRunningOut } from './running-out.ts';

/** A new `key` restarts the banner. */
interface BannerContent {
  key: string;
  caption: string;
  person: { id: string; name: string };
  detail?: string | undefined;
  actions: ReactNode;
}

interface BannerProps {
  content: BannerContent | null;
  lastsMs: number;
  onEnd: () => void;
}

/** Always mounted, so that screen readers announce new content; `null` shows nothing. */
export function Banner({ content, lastsMs, onEnd }: BannerProps) {
  const { isHeld, ...holding } = useHolding(content?.key);
  useRunningOut(content?.key, lastsMs, isHeld, onEnd);
  return (
    <div className={styles.region} {...holding}>
      {content && (
        <div key={content.key} className={classNames(styles.banner, isHeld && styles.held)}>
          <Avatar id={content.person.id} name={content.person.name} />
          <output className={styles.words}>
            <span>{`${content.caption} `}</span>
            <strong dir="auto">{content.person.name}</strong>
            {content.detail !== undefined && <small dir="auto">{content.detail}</small>}
          </output>
          <span className={styles.actions}>{content.actions}</span>
          <span className={styles.time} aria-hidden="true" />
        </div>
      )}
    </div>
  );
}
