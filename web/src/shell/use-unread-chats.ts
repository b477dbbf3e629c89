/** How many private messages are unread. */
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';

export function useUnreadChats(): number {
  const { chats } = useApp();
  return useReadable(useReadable(chats)?.list.unread ?? chats.unread);
}
