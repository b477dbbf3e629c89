/**
 * What rooms of either kind say in the same words. Sentences that differ by kind stand in room-kinds.ts.
 */
export const roomSentences = {
  accessDenied: 'Access Denied! You must wait for host approval',
  notFound: 'Room not found',
  mustBeLoggedIn: 'You must be logged in to access rooms',
  roomNameMissing: 'Please enter a Room Name',
  roomNameTooLong: 'A room name has at most 100 characters',
  roomNameUnfit: 'This name holds characters that cannot be shown',
  waitingTitle: 'Waiting for Host Approval...',
  waitingHint: "Don't leave this page",
  declined: 'The host declined your request.',
  copied: 'Room Code copied to clipboard!',
  loading: 'Loading...',
  chatClosed: 'Click here to Start Chat',
  chatOpen: 'Click here to Return Room',
  youHost: 'You (Host)',
  newRequest: 'New Join Request from',
  hostAway: 'Host is reconnecting…',
  tooManyLiveRooms: 'You already host five rooms. End one of them first.',
  roomFull: 'This room is full.',
  tooOften: 'That was a little fast.',
  unreachable: 'The server did not answer.',
  checkConnection: 'Check your connection and try again.',
  requestGone: 'Your request was taken back. Ask again to come in.',
  notSent: 'Not sent.',
  messageUnfit: 'It holds characters that cannot be shown.',
  messageTooLong: 'A message has at most 2,000 characters.',
  tooManyPending: 'Too many people are waiting for this room. Try again in a moment.',
} as const;

/** 'Try again in 12 seconds.' for a refusal that says when. */
export function tryAgainIn(retryAfterMs: number): string {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  if (seconds < 90) return `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}

/** Someone who was declined must wait before asking the same host again. */
export function askAgainIn(retryAfterMs: number): string {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return `You can ask again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}
