/** Texts about notifications. */
export const notificationWords = {
  title: 'Notifications',
  empty: 'No notifications',
  emptyHint: 'Invitations and soulmate requests land here.',
  accept: 'Accept',
  decline: 'Decline',
  askToJoin: 'Ask to Join',
  join: 'Join',
  returnToRoom: 'Return to room',
  dismiss: 'Dismiss',
  unread: 'new',
  failed: 'That did not work',
} as const;
