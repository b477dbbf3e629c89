/** A link of 44 px on the band, to the chats or to the notifications, with the number that is unread. */
import { Link } from 'wouter';
import { Badge } from '../ui/buttons/Badge.tsx';
import { BellIcon, MessageIcon } from '../ui/icons/icons.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './UnreadLink.module.css';

interface UnreadLinkProps {
  href: '/chats' | '/notifications';
  label: string;
  count: number;
  words: string;
}

export function UnreadLink({ href, label, count, words }: UnreadLinkProps) {
  return (
    <Link href={href} className={styles.link}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {href === '/chats' ? <MessageIcon /> : <BellIcon />}
      <span className={styles.badge}>
        <Badge count={count} words={words} onBand />
      </span>
    </Link>
  );
}
