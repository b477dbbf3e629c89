/** Shows the number of unread notifications in the title of every page. */
import { useApp } from '../app-context.ts';
import { unreadCount } from '../notifications/notifications-model.ts';
import { useReadable } from '../store/use-readable.ts';
import { useUnreadInTitle } from './use-page-title.ts';

export function UnreadInTitle() {
  const { session, notifications } = useApp();
  const isSignedIn = useReadable(session.session).status === 'signed-in';
  const list = useReadable(notifications.notifications);
  useUnreadInTitle(isSignedIn && list !== null ? unreadCount(list) : 0);
  return null;
}
