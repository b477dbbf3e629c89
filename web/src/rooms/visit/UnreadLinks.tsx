/** What is unread, seen from inside a room: links to chats and notifications; on phones one bell with both. */
import { Link } from 'wouter';
import { useApp } from '../../app-context.ts';
import { chatWords } from '../../chats/chat-words.ts';
import { homeCopy } from '../../copy/home.ts';
import { notificationCopy } from '../../notifications/notification-words.ts';
import { unreadCount } from '../../notifications/notifications-model.ts';
import { useUnreadChats } from '../../shell/use-unread-chats.ts';
import { useReadable } from '../../store/use-readable.ts';
import { Badge } from '../../ui/buttons/Badge.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { BellIcon, MessageIcon } from '../../ui/icons/icons.tsx';
import styles from './UnreadLinks.module.css';

/** Unread chats and notifications. */
function useUnread() {
  const notices = useReadable(useApp().notifications.notifications);
  return { chats: useUnreadChats(), notices: notices === null ? 0 : unreadCount(notices) };
}

/** For the band of wide screens. */
export function UnreadLinks() {
  const { chats, notices } = useUnread();
  return (
    <>
      <NewsLink href="/chats" label={homeCopy.chat} count={chats} words={chatWords.unread} />
      <NewsLink href="/notifications" label={homeCopy.notifications} count={notices} words={notificationCopy.unread} />
    </>
  );
}

/** For the head on phones. It leads to where something is unread. */
export function UnreadBell() {
  const { chats, notices } = useUnread();
  return (
    <span className={styles.phone}>
      {notices === 0 && chats > 0 ? (
        <NewsLink href="/chats" label={homeCopy.chat} count={chats} words={chatWords.unread} />
      ) : (
        <NewsLink
          href="/notifications"
          label={homeCopy.notifications}
          count={chats + notices}
          words={notificationCopy.unread}
        />
      )}
    </span>
  );
}

function NewsLink({ href, label, count, words }: { href: string; label: string; count: number; words: string }) {
  return (
    <Link href={href} className={styles.key}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {href === '/chats' ? <MessageIcon /> : <BellIcon />}
      <span className={styles.count}>
        <Badge count={count} words={words} onBand />
      </span>
    </Link>
  );
}
