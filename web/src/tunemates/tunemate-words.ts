/** Texts about tunemates and invitations. */
import type { Tunemate } from '@tunemate/protocol';
import type { Instead } from '../words/errors.ts';

export const tunemateWords = {
  title: 'Tunemates',
  empty: 'No tunemates yet',
  emptyHint: 'Let someone into your room and they appear here.',
  onlineTitle: 'Tunemates online',
  inviteTitle: 'Invite and let in',
  invited: 'Invited',
  whereabouts: (isSoulmate: boolean, isOnline: boolean) =>
    `${isSoulmate ? 'Your soulmate, ' : ''}${isOnline ? 'online' : 'offline, will find it later'}`.replace(/^o/, 'O'),
  metIn: { video: 'met in video', audio: 'met in audio', both: 'met in video and audio' },
  invite: 'Invite',
  invitePerson: (name: string) => `Invite ${name}`,
  remove: 'Remove',
  chat: 'Chat',
  about: (name: string) => `About ${name}`,
  inviteQuestion: (name: string) => `Invite ${name}?`,
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeConsequence: 'You leave each other’s tunemates.',
  invitationSentTo: (name: string) => `Invitation sent to ${name}`,
  inviteFailed: 'The invitation was not sent',
  removeFailed: 'They are still your tunemate',
} as const;

export const inviteInstead: Instead = {
  // No longer a tunemate, or blocked by them: one sentence that does not reveal a block.
  'access/forbidden': 'They can’t be invited now.',
  'access/not-found': 'This person is no longer here.',
};

/** In which kinds of room the user met a tunemate. */
export function placeOf(metIn: Tunemate['metIn']): string {
  const [first] = metIn;
  return metIn.length > 1 || first === undefined ? tunemateWords.metIn.both : tunemateWords.metIn[first];
}
