/** How many private messages are unread, and which chats wait for the user. */
import type { ConversationRow } from '@tunemate/protocol';
import { useApp } from '../app-context.ts';
import { useReadable } from '../store/use-readable.ts';

export function useUnreadChats(): number {
  const { chats } = useApp();
  return useReadable(useReadable(chats)?.list.unread ?? chats.unread);
}

/** Home lists it: it has unread words of a person whom the user knows, and was not put away. */
export const isWaiting = ({ unread, isArchived, isStranger }: ConversationRow): boolean =>
  unread > 0 && !isArchived && isStranger !== true;
