/** Texts that are the same in both kinds of room; the others are in room-kinds.ts. */
import { waitInWords } from '../words/errors.ts';
import { t } from '../language/t.ts';

export const roomSentences = {
  accessDenied: t`Access Denied! You must wait for host approval`,
  notFound: t`Room not found`,
  enteringFailed: t`The room could not be opened. Try again in a while.`,
  roomNameMissing: t`Please enter a Room Name`,
  roomNameTooLong: t`A room name has at most 100 characters`,
  roomNameUnfit: t`This name holds characters that cannot be shown`,
  declined: t`The host declined your request.`,
  copied: t`Room Code copied to clipboard!`,
  notCopied: t`Copying is not allowed here. Write the code down.`,
  linkCopied: t`Room link copied to clipboard!`,
  linkNotCopied: t`Copying is not allowed here. Select the link and copy it.`,
  scan: t`Scan this code with a phone.`,
  loading: t`Loading...`,
  chatClosed: t`Click here to Start Chat`,
  chatOpen: t`Click here to Return Room`,
  noMessages: t`Nobody has written yet.`,
  youHost: t`You (Host)`,
  youHostNow: t`You host now`,
  locked: t`Locked`,
  messageDeleted: t`Message deleted`,
  invitationOver: t`The room of this invitation has ended.`,
  tooOften: t`That was a little fast.`,
  declinedForGood: t`That was your last request: the host declined five. You can’t ask to join this room again.`,
  requestGone: t`Your request was taken back. Ask again to come in.`,
} as const;

export function askedAgo(minutes: number): string {
  if (minutes < 1) return t`Asked just now.`;
  return minutes === 1 ? t`Asked 1 minute ago.` : t`Asked ${minutes} minutes ago.`;
}

export function askAgainIn(retryAfterMs: number): string {
  return t`You can ask again in ${waitInWords(retryAfterMs)}.`;
}

export const removalLasts = {
  'for-now': t`You can ask again in 10 minutes.`,
  'for-good': t`You can’t ask to come in again.`,
} as const;

export function hostsNow(name: string): string {
  return t`${name} hosts now`;
}
