/** Texts about one person: their sheet, and the questions before a soulmate request, its end and blocking. */
import { t } from '../language/t.ts';

export const personSheetWords = {
  inRoom: (name: string) => t`In ${name}`,
  thisRoom: t`In this room`,
  soulmate: t`Your soulmate`,
  tunemate: (place: string) => t`Tunemate, ${place}`,
  stranger: t`Not on your list of tunemates`,
  chat: t`Chat`,
  invite: t`Invite`,
  ourMusic: t`Our music`,
  addTunemate: t`Add as tunemate`,
  tunemateAsked: (name: string) => t`${firstName(name)} is asked`,
  ask: t`Ask to be soulmates`,
  takeBack: t`Take back your soulmate request`,
  part: t`Part`,
  stopBeing: t`Stop being soulmates`,
  lendRemote: t`Lend the remote`,
  takeRemote: t`Take the remote back`,
  remoteMeans: t`Play, pause, choose and queue. You take it back with one press.`,
  makeHost: t`Make host`,
  asksFirst: (name: string) => t`Asks ${firstName(name)} first`,
  cannotAnswer: (name: string) => t`${firstName(name)} is reconnecting and can’t be asked now`,
  remove: t`Remove`,
  mayAskAgain: t`May ask again after 10 minutes`,
  block: t`Block`,
  unblock: t`Unblock`,
  report: t`Report`,
  isGone: t`This account is gone`,
  isBlocked: t`You blocked them`,
  chatIsOpen: t`This chat is open`,
  isHere: t`Is in this room already`,
  onlyTunemates: t`Only tunemates can be invited`,
  onlyAcquainted: t`Only tunemates and people you have a chat with can be asked`,
  partFirst: t`You have a soulmate. Part first.`,
  blocked: (name: string) => t`${name} is blocked`,
} as const;

export const personActionWords = {
  askQuestion: (name: string) => t`Ask ${name} to be your soulmate?`,
  askConsequence: t`They can accept or decline.`,
  askAction: t`Ask`,
  partQuestion: (name: string) => t`Part from ${name}?`,
  partConsequence: t`You are no longer each other’s soulmates.`,
  requestSent: t`Invitation sent!`,
  failed: t`That did not work`,
  blockQuestion: (name: string) => t`Block ${name}?`,
  blockConsequence: (name: string, isSoulmate: boolean) =>
    isSoulmate
      ? t`You are no longer soulmates. You leave each other’s lists, and ${name} leaves your rooms. Neither can write to or invite the other. Unblocking brings none of that back. ${name} does not see who did it.`
      : t`You leave each other’s lists, and ${name} leaves your rooms. Neither can write to or invite the other. Unblocking brings none of that back. ${name} does not see who did it.`,
  unblockQuestion: (name: string) => t`Unblock ${name}?`,
} as const;

export function firstName(name: string): string {
  return name.split(' ')[0] ?? name;
}
