/** Texts of private chats: the list, and the head of an open chat. */
import { t } from '../language/t.ts';

export const chatWords = {
  bandTitle: t`Chat`,
  listTitle: t`Chats`,
  empty: t`No private chats yet.`,
  newChat: t`New chat`,
  find: t`Find a tunemate`,
  photo: t`Photo`,
  muted: t`Muted`,
  unread: (count: number) => (count === 0 ? t`Unread` : t`Unread ${String(count)}`),
  archived: (count: number) => t`Archived (${String(count)})`,
  strangers: t`People you have not answered`,
  showMore: (count: number) => t`Show more chats (${String(count)})`,
  avatar: (name: string) => t`${name}. Hold or double-click to ask them to be your soulmate`,
  avatarOfSoulmate: (name: string) => t`${name}, your soulmate. Hold or double-click to part`,
} as const;
