/** Texts about tunemates and invitations. */
import type { Tunemate } from '@tunemate/protocol';
import { t } from '../language/t.ts';

export const tunemateWords = {
  title: t`Tunemates`,
  inviteTitle: t`Invite and let in`,
  whereabouts: (isSoulmate: boolean, isOnline: boolean) => {
    if (isSoulmate) return isOnline ? t`Your soulmate, online` : t`Your soulmate, offline, will find it later`;
    return isOnline ? t`Online` : t`Offline, will find it later`;
  },
  metIn: { video: t`met in video`, audio: t`met in audio`, both: t`met in video and audio` },
  invite: t`Invite`,
  remove: t`Remove`,
  chat: t`Chat`,
  invitationSentTo: (name: string) => t`Invitation sent to ${name}`,
} as const;

/** In which kinds of room the user met a tunemate. */
export function placeOf(metIn: Tunemate['metIn']): string {
  const [first] = metIn;
  return metIn.length > 1 || first === undefined ? tunemateWords.metIn.both : tunemateWords.metIn[first];
}
