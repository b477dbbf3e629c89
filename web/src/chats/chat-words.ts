/** Texts of private chats: the list, and the head of an open chat. */
import { t } from '../language/t.ts';

export const chatWords = {
  bandTitle: t`Chat`,
  listTitle: t`Chats`,
  empty: t`No private chats yet.`,
  emptyHint: t`Begin one with a tunemate.`,
  newChat: t`New chat`,
  find: t`Find a tunemate`,
  nobodyFound: t`No tunemate has this name.`,
  noTunemates: t`You have no tunemates yet. You meet them in rooms.`,
  back: t`Back`,
  conversationTitle: t`Chat`,
  photo: t`Photo`,
  messageDeleted: t`Message deleted`,
  more: t`More`,
  search: t`Search messages`,
  typing: t`Typing…`,
  pinned: t`Pinned`,
  muted: t`Muted`,
  unreadFirst: t`Unread first`,
  archived: (count: number) => t`Archived (${String(count)})`,
  backToList: t`Back to all chats`,
  noneArchived: t`No chat is archived.`,
  avatar: (name: string) => t`${name}. Hold or double-click to ask them to be your soulmate`,
  avatarOfSoulmate: (name: string) => t`${name}, your soulmate. Hold or double-click to part`,
  notOpened: t`This chat did not open`,
} as const;
