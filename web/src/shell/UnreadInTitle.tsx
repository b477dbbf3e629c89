/** Shows how many notifications and private messages are unread, in the title of every page. */
import { useApp } from '../app-context.ts';
import { unreadCount } from '../notifications/notifications-model.ts';
import { useReadable } from '../store/use-readable.ts';
import { useUnreadInTitle } from './use-page-title.ts';
import { useUnreadChats } from './use-unread-chats.ts';

export function UnreadInTitle() {
  const { session, notifications } = useApp();
  const isSignedIn = useReadable(session.session).status === 'signed-in';
  const list = useReadable(notifications.notifications);
  const chats = useUnreadChats();
  useUnreadInTitle(isSignedIn && list !== null ? unreadCount(list) + chats : 0);
  return null;
}
