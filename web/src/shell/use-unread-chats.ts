/** How many private messages are unread; none until private chats are loaded. */
import { useApp } from '../app-context.ts';
import { cell } from '../store/cell.ts';
import { useReadable } from '../store/use-readable.ts';

const none = cell(0);

export function useUnreadChats(): number {
  return useReadable(useReadable(useApp().chats)?.list.unread ?? none);
}
