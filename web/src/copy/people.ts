/**
 * The words about other people: tunemates, invitations, soulmate requests, chats.
 */
import type { Instead } from './sentences.ts';

export const tunemateWords = {
  title: 'Tunemates',
  empty: 'No tunemates yet',
  emptyHint: 'Let someone into your room and they appear here.',
  onlineTitle: 'Tunemates online',
  metIn: { video: 'met in video', audio: 'met in audio', both: 'met in video and audio' },
  invite: 'Invite',
  invitePerson: (name: string) => `Invite ${name}`,
  remove: 'Remove',
  chat: 'Chat',
  inviteQuestion: (name: string) => `Invite ${name}?`,
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeConsequence: 'You leave each other’s tunemates.',
  invitationSentTo: (name: string) => `Invitation sent to ${name}`,
  inviteFailed: 'The invitation was not sent',
  removeFailed: 'They are still your tunemate',
} as const;

export const notificationWords = {
  title: 'Notifications',
  empty: 'No notifications',
  emptyHint: 'Invitations and soulmate requests land here.',
  accept: 'Accept',
  decline: 'Decline',
  askToJoin: 'Ask to Join',
  dismiss: 'Dismiss',
  unread: 'new',
  failed: 'That did not work',
} as const;

export const chatWords = {
  bandTitle: 'Chat',
  listTitle: 'Chats',
  empty: 'No private chats yet.',
  emptyHint: 'Open the menu, pick a tunemate and tap Chat.',
  back: 'Back',
  conversationTitle: 'Chat',
  photo: 'Photo',
  unread: 'unread',
  more: 'More',
  avatar: (name: string) => `${name}. Hold or double-click to ask them to be your soulmate`,
  avatarOfSoulmate: (name: string) => `${name}, your soulmate. Hold or double-click to part`,
  ask: 'Ask to be your soulmate',
  askQuestion: (name: string) => `Ask ${name} to be your soulmate?`,
  askConsequence: 'They can accept or decline.',
  askAction: 'Ask',
  part: 'Part',
  partQuestion: (name: string) => `Part from ${name}?`,
  partConsequence: 'You are no longer soulmates, and nor are they.',
  requestSent: 'Invitation sent!',
  failed: 'That did not work',
  block: 'Block',
  unblock: 'Unblock',
  blockQuestion: (name: string) => `Block ${name}?`,
  blockConsequence: 'Neither of you can write to or invite the other. They are not told.',
  unblockQuestion: (name: string) => `Unblock ${name}?`,
  cancel: 'Cancel',
  notOpened: 'This chat did not open',
} as const;

/** When asking or accepting: the one who asked has meanwhile found somebody, or is gone. */
export const soulmateInstead: Instead = {
  'soulmate/taken': 'They already have a soulmate.',
  'soulmate/self-taken': 'You already have a soulmate.',
  'access/not-found': 'This request is no longer open.',
};

export const inviteInstead: Instead = {
  // No longer a tunemate, or a block, which nobody is told of: one sentence that is true of both.
  'access/forbidden': 'They can’t be invited now.',
  'access/not-found': 'This person is no longer here.',
};
