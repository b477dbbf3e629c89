/** A notice that lasts five seconds and shows how long it has left. Status only: it takes no focus and
   holds no button, because what it announces also stands elsewhere on the page. */
import { useEffect, useEffectEvent } from 'react';
import { Avatar } from '../records/Avatar.tsx';
import styles from './Banner.module.css';

/** The content of a banner; a new `key` restarts it. */
export interface BannerContent {
  key: string;
  /** First, small line. */
  caption: string;
  person: { id: string; name: string };
}

export interface BannerProps {
  content: BannerContent | null;
  lastsMs: number;
  onEnd: () => void;
}

/** Always mounted, so that screen readers announce new content; `null` shows nothing. */
export function Banner({ content, lastsMs, onEnd }: BannerProps) {
  const end = useEffectEvent(onEnd);
  const key = content?.key;
  useEffect(() => {
    if (key === undefined) return undefined;
    const timer = setTimeout(() => end(), lastsMs);
    return () => clearTimeout(timer);
  }, [key, lastsMs]);
  return (
    <output className={styles.region}>
      {content && (
        <span key={content.key} className={styles.banner}>
          <Avatar id={content.person.id} name={content.person.name} />
          <span className={styles.words}>
            {content.caption} <strong>{content.person.name}</strong>
          </span>
          <span className={styles.time} aria-hidden="true" />
        </span>
      )}
    </output>
  );
}
