/** Texts that are the same in both kinds of room; the others are in room-kinds.ts. */
import { waitInWords } from '../words/errors.ts';

export const roomSentences = {
  accessDenied: 'Access Denied! You must wait for host approval',
  notFound: 'Room not found',
  enteringFailed: 'The room could not be opened. Try again in a while.',
  roomNameMissing: 'Please enter a Room Name',
  roomNameTooLong: 'A room name has at most 100 characters',
  roomNameUnfit: 'This name holds characters that cannot be shown',
  waitingTitle: 'Waiting for Host Approval...',
  waitingHint: "Don't leave this page",
  declined: 'The host declined your request.',
  copied: 'Room Code copied to clipboard!',
  notCopied: 'Copying is not allowed here. Write the code down.',
  linkCopied: 'Room link copied to clipboard!',
  linkNotCopied: 'Copying is not allowed here. Select the link and copy it.',
  scan: 'Scan this code with a phone.',
  loading: 'Loading...',
  chatClosed: 'Click here to Start Chat',
  chatOpen: 'Click here to Return Room',
  noMessages: 'Nobody has written yet.',
  youHost: 'You (Host)',
  youHostNow: 'You host now',
  locked: 'Locked',
  messageDeleted: 'Message deleted by the host',
  invitationOver: 'The room of this invitation has ended.',
  tooOften: 'That was a little fast.',
  declinedForGood: 'That was your last request: the host declined five. You can’t ask to join this room again.',
  requestLapsed: 'Your request has lapsed, because this page was away for more than a minute. Ask again when you like.',
  waitingLasts: 'The host sees it wherever they are in Tunemate. It ends a minute after you close this page.',
  requestGone: 'Your request was taken back. Ask again to come in.',
  notSent: 'Not sent.',
  messageUnfit: 'It holds characters that cannot be shown.',
  messageTooLong: 'A message has at most 2,000 characters.',
} as const;

export function askedAgo(minutes: number): string {
  if (minutes < 1) return 'Asked just now.';
  return minutes === 1 ? 'Asked 1 minute ago.' : `Asked ${minutes} minutes ago.`;
}

export function askAgainIn(retryAfterMs: number): string {
  return `You can ask again in ${waitInWords(retryAfterMs)}.`;
}

export const removalLasts = {
  'for-now': 'You can ask again in 10 minutes.',
  'for-good': 'You can’t ask to come in again.',
} as const;

export function hostsNow(name: string): string {
  return `${name} hosts now`;
}
