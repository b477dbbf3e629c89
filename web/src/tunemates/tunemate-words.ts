/** Texts about tunemates and invitations. */
import type { Tunemate } from '@tunemate/protocol';
import { t } from '../language/t.ts';

export const tunemateWords = {
  title: t`Tunemates`,
  empty: t`No tunemates yet`,
  emptyHint: t`Let someone into your room and they appear here.`,
  inviteTitle: t`Invite and let in`,
  invited: t`Invited`,
  whereabouts: (isSoulmate: boolean, isOnline: boolean) => {
    if (isSoulmate) return isOnline ? t`Your soulmate, online` : t`Your soulmate, offline, will find it later`;
    return isOnline ? t`Online` : t`Offline, will find it later`;
  },
  metIn: { video: t`met in video`, audio: t`met in audio`, both: t`met in video and audio` },
  invite: t`Invite`,
  invitePerson: (name: string) => t`Invite ${name}`,
  remove: t`Remove`,
  chat: t`Chat`,
  about: (name: string) => t`About ${name}`,
  inviteQuestion: (name: string) => t`Invite ${name}?`,
  removeQuestion: (name: string) => t`Remove ${name}?`,
  removeConsequence: t`You leave each other’s tunemates.`,
  invitationSentTo: (name: string) => t`Invitation sent to ${name}`,
  inviteFailed: t`The invitation was not sent`,
  removeFailed: t`They are still your tunemate`,
} as const;

/** In which kinds of room the user met a tunemate. */
export function placeOf(metIn: Tunemate['metIn']): string {
  const [first] = metIn;
  return metIn.length > 1 || first === undefined ? tunemateWords.metIn.both : tunemateWords.metIn[first];
}
