/** Texts of private chats: the list, and the head of an open chat. */
export const chatWords = {
  bandTitle: 'Chat',
  listTitle: 'Chats',
  empty: 'No private chats yet.',
  emptyHint: 'Begin one with a tunemate.',
  newChat: 'New chat',
  find: 'Find a tunemate',
  nobodyFound: 'No tunemate has this name.',
  noTunemates: 'You have no tunemates yet. You meet them in rooms.',
  back: 'Back',
  conversationTitle: 'Chat',
  photo: 'Photo',
  messageDeleted: 'Message deleted',
  more: 'More',
  avatar: (name: string) => `${name}. Hold or double-click to ask them to be your soulmate`,
  avatarOfSoulmate: (name: string) => `${name}, your soulmate. Hold or double-click to part`,
  notOpened: 'This chat did not open',
} as const;
