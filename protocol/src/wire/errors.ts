/**
 * All codes with which the server refuses or fails. HTTP status and sentence of each code are tables elsewhere; the
 * compiler asks for a row when a code is added.
 */
import { z } from 'zod';

export const errorCodes = [
  'auth/required',
  'auth/email-unverified',
  'session/elsewhere', // newer pages of this person took its place
  'auth/already-verified', // the link of this sign-up was opened
  'auth/mail-refused', // the mail server of the address refuses our mail for good
  'auth/invalid-credentials',
  'auth/code-invalid', // a link that expired, was used, or does not exist
  'auth/password-weak',
  'auth/disabled', // the operator disabled the account
  'auth/sign-up-closed', // the operator takes no sign-ups
  'auth/invitation-needed', // no invitation link, or one that does not work (any more)
  'auth/too-many-wait', // for the operators of a server without a mail server
  'access/forbidden',
  'access/not-found', // the same for "not yours" and "does not exist"
  'access/cross-site', // a request from another site
  'room/not-found',
  'room/not-member',
  'room/host-only',
  'room/ended',
  'room/full',
  'room/too-many-requests-pending',
  'room/request-resolved',
  'room/declined-for-good',
  'room/too-many-live-rooms',
  'room/removed', // the host removed the caller; with a time to wait, or for good
  'room/locked', // the room takes no requests to join
  'room/offer-over', // the caller is not asked to host, or not any more
  'room/host-changed', // the caller has become the host, or is the host no more, since they asked
  'playback/lease-lost',
  'playback/overtaken', // another person changed what plays a moment before
  'playback/given-up', // the page lost its line before the press counted
  'playback/queue-changed', // the row that the page names is not there any more
  'playback/queue-full',
  'playback/queue-long', // the links and titles of the queue have as many bytes as it may have
  'proposals/too-many', // the caller has as many tracks waiting as one may
  'proposals/full', // the room has as many proposals as it may
  'soulmate/taken',
  'soulmate/self-taken',
  'chat/first-contact-limit',
  'input/invalid',
  'input/too-large',
  'input/conflict', // same client id, other body
  'input/unsupported',
  'limit/too-many',
  'limit/stored-today', // the caller stored as much as one person may in a day; with a time to wait
  'limit/stored-in-all', // the caller stored as much as one person may
  'server/busy',
  'server/storage-full',
  'server/unavailable',
  'server/failed',
  'client/outdated', // the page is older than the server's protocol
] as const;

export const errorCode = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCode>;

/** What the client gets of a refusal: the code, when to try again, which field was wrong. Never a stack. */
export const refusal = z.strictObject({
  code: errorCode,
  retryAfterMs: z.number().int().nonnegative().optional(),
  field: z.string().max(40).optional(),
});
export type Refusal = z.infer<typeof refusal>;

/** The answer to every request, on HTTP and on the socket alike. */
export type Result<Value> = { ok: true; value: Value } | { ok: false; error: Refusal };
