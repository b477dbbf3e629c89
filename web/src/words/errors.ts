/**
 * One sentence for each error code of the server. A screen may replace a sentence where the code has a more exact
 * meaning. Sentences of one kind of room are in rooms/room-kinds.ts.
 */
import { limits, type ErrorCode, type Refusal } from '@tunemate/protocol';
import { t } from '../language/t.ts';

export const sentences = {
  'auth/required': t`Please log in first.`,
  'auth/email-unverified': t`Email Verification Required`,
  'session/elsewhere': t`Tunemate is open in many other places, so this page rests.`,
  'auth/already-verified': t`Your email is verified. You can sign in.`,
  'auth/mail-refused': t`This address does not take our mail. Check it, and sign up again with one that does.`,
  'auth/invalid-credentials': t`Invalid credentials`,
  'auth/code-invalid': t`The link may have expired or already been used.`,
  'auth/password-weak': t`This password is easy to guess. Choose another.`,
  'auth/disabled': t`This account was disabled. Ask the person who runs this server.`,
  'auth/sign-up-closed': t`Nobody can sign up here now. Ask the person who runs this server.`,
  'auth/invitation-needed': t`You need an invitation link that works. Ask the person who runs this server for one.`,
  'auth/too-many-wait': t`Too many people wait to be let in. Tell the person who runs this server.`,
  'access/forbidden': t`You may not do that.`,
  'access/not-found': t`This is not here any more.`,
  'access/cross-site': t`This did not come from Tunemate itself. Open Tunemate and try again.`,
  'room/not-found': t`Room not found`,
  'room/not-member': t`Access Denied! You must wait for host approval`,
  'room/host-only': t`Only the host can do that.`,
  'room/ended': t`This room has ended.`,
  'room/full': t`This room is full.`,
  'room/too-many-requests-pending': t`Too many people are waiting for this room. Try again in a moment.`,
  'room/request-resolved': t`This request was answered already.`,
  'room/declined-for-good': t`The host declined five requests of yours. You can’t ask to join this room again.`,
  'room/too-many-live-rooms': t`You already host five rooms. End one of them first.`,
  'room/removed': t`The host removed you from this room`,
  'room/locked': t`This room is not taking requests now`,
  'room/offer-over': t`You are not asked to host this room any more.`,
  'room/host-changed': t`The host has just changed. Look again, and try once more.`,
  'playback/lease-lost': t`Playing in another tab`,
  'playback/overtaken': t`Another person was a moment before you.`,
  'playback/given-up': t`The connection broke before this reached the room. Press again.`,
  'playback/queue-changed': t`The queue has just changed. Look again, and try once more.`,
  'playback/queue-full': t`The queue is full (${String(limits.queueItems)}).`,
  'playback/queue-long': t`The links in the queue are too long together. Remove one first.`,
  'proposals/too-many': t`You have ${String(limits.waitingPerPerson)} tracks waiting. Take one back, or wait for one to be played.`,
  'proposals/full': t`${String(limits.proposalsPerRoom)} proposals wait already. Vote for one, or try again later.`,
  'soulmate/taken': t`They already have a soulmate.`,
  'soulmate/self-taken': t`You already have a soulmate.`,
  'chat/first-contact-limit': t`Wait for an answer before you write more.`,
  'input/invalid': t`Something in this is not right. Check it and try again.`,
  'input/too-large': t`This is too large.`,
  'input/conflict': t`This was sent before with other words.`,
  'input/unsupported': t`This kind of file is not supported.`,
  'limit/too-many': t`Too many requests`,
  'limit/stored-today': t`You have sent as much as one person may in a day.`,
  'limit/stored-in-all': t`You have stored as much as one person may on this server. Its operator can raise that.`,
  'server/busy': t`The server is busy. Try again in a moment.`,
  'server/storage-full': t`Can't save right now`,
  'server/unavailable': t`Can't reach the server. Check your connection and try again.`,
  'server/failed': t`Something went wrong on the server. Try again.`,
  'client/outdated': t`There is a newer Tunemate. Reload this page.`,
} as const satisfies Record<ErrorCode, string>;

/** The sentences that one screen replaces, by code. */
export type Instead = Partial<Record<ErrorCode, string>>;

const offlineSentence = t`You are offline. Try again once you are connected.`;

/** The sentence for a refused request. `isOnline` is what the device reports. */
export function sentenceOf(refusal: Refusal, instead: Instead = {}, isOnline = navigator.onLine): string {
  const own = instead[refusal.code];
  if (own !== undefined) return own;
  if (refusal.code === 'server/unavailable' && !isOnline) return offlineSentence;
  if (refusal.code === 'limit/too-many' && refusal.retryAfterMs !== undefined) {
    return `${sentences['limit/too-many']}. ${tryAgainIn(refusal.retryAfterMs)}`;
  }
  if (refusal.code === 'limit/stored-today' && refusal.retryAfterMs !== undefined) {
    return `${sentences['limit/stored-today']} ${tryAgainIn(refusal.retryAfterMs)}`;
  }
  return sentences[refusal.code] ?? sentences['server/failed'];
}

/** 'Try again in 12 seconds.' */
export function tryAgainIn(waitMs: number): string {
  return t`Try again in ${waitInWords(waitMs)}.`;
}

/** In whole seconds up to a minute and a half, then in whole minutes or hours. */
export function waitInWords(waitMs: number): string {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  if (seconds < 90) return seconds === 1 ? t`1 second` : t`${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return t`${minutes} minutes`;
  return t`${Math.ceil(minutes / 60)} hours`;
}
