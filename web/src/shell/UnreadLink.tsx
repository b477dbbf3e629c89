/**
 * Links of 44 px on the band, to the chats and to the notifications, each with the number that is unread; both together are
 * in the title of the page.
 */
import { Link } from '../ui/Link.tsx';
import { useApp } from '../app-context.ts';
import { unreadCount } from '../notifications/notifications-model.ts';
import { useReadable } from '../store/use-readable.ts';
import { Badge } from '../ui/buttons/Badge.tsx';
import { BellIcon, MessageIcon } from '../ui/icons/inside-icons.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import styles from './UnreadLink.module.css';
import { useUnreadInTitle } from './use-page-title.ts';
import { t } from '../language/t.ts';

export const unreadPlaces = {
  '/chats': { label: t`Chat`, unread: t`unread`, Icon: MessageIcon },
  '/notifications': { label: t`Notifications`, unread: t`new`, Icon: BellIcon },
} as const;

/** How much of each is unread; none until it is known. */
export function useUnread(): { chats: number; notices: number } {
  const { chats, notifications } = useApp();
  const notices = useReadable(notifications.notifications);
  return {
    chats: useReadable(useReadable(chats)?.list.unread ?? chats.unread),
    notices: unreadCount(notices ?? []),
  };
}

export function UnreadLink({ href, count }: { href: keyof typeof unreadPlaces; count: number }) {
  const { label, unread, Icon } = unreadPlaces[href];
  return (
    <Link href={href} className={styles.link}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <Icon />
      <span className={styles.badge}>
        <Badge count={count} words={unread} onBand />
      </span>
    </Link>
  );
}

export function UnreadLinks() {
  const { chats, notices } = useUnread();
  useUnreadInTitle(chats + notices);
  return (
    <>
      <UnreadLink href="/chats" count={chats} />
      <UnreadLink href="/notifications" count={notices} />
    </>
  );
}
