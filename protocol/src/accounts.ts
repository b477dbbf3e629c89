/**
 * Accounts: signing up and in, e-mail actions, sessions, one's own document. All of it over HTTP.
 */
import { z } from 'zod';
import { readAddress } from './wire/address.ts';
import { bare } from './wire/characters.ts';
import { personName, roomCode, uid } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { addressIn } from './wire/pasted.ts';
import { hearingAudience } from './presence.ts';
import { route } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

/** A new address, in the form it is compared in. */
export const email = z
  .string()
  .max(limits.emailLength)
  .transform((typed) => readAddress(typed) ?? '')
  .refine((address) => address !== '' && address.length <= limits.emailLength);

/** An address that may have an account: lower case and without unseen marks, else as typed, so that accounts of older rules are found too. */
export const knownEmail = z
  .string()
  .max(limits.emailLength)
  .transform((typed) => addressIn(bare(typed)).toLowerCase())
  .refine((address) => /^[^\s@<>",;:\\\u0000-\u001f\u007f]+@[^\s@<>",;:\\\u0000-\u001f\u007f]+$/u.test(address));

const password = z.string().max(limits.passwordMaxLength * 4);
const oobCode = z.string().min(1).max(256);
const nothing = z.strictObject({});

/** The room that a person was on the way to; the mailed link leads there, also on another device. */
export const destination = z.strictObject({ kind: roomKind, code: roomCode });
export type Destination = z.infer<typeof destination>;

/** What a mailed link is for. */
export const linkModes = ['verifyEmail', 'resetPassword'] as const;
export type LinkMode = (typeof linkModes)[number];

/** Two digits that the page of a sign-up and the page of its mail both show, for the person to compare. */
const signUpNumber = z.number().int().min(10).max(99);
const mailedAccount = z.strictObject({ name: z.string(), email: z.string(), number: signUpNumber });

/** A mail that its page shows, on the machine of a server without a mail server. The link is a path of this server. */
const shownMail = z.strictObject({ subject: z.string(), link: z.string(), at: z.number() });
export type ShownMail = z.infer<typeof shownMail>;

/** The signed-in person's own document. */
export const userDocument = z.strictObject({
  uid,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  online: z.boolean(),
  createdAt: z.number(),
  soulmate: uid.nullable(),
  tunemates: z.array(uid),
  audioConnections: z.array(uid),
  readReceipts: z.boolean(),
  /** Whether previews of links are shown to them. */
  linkPreviews: z.boolean(),
  /** Who sees what they hear in rooms; absent for a person who was never asked; then no other user does. */
  hearingShownTo: hearingAudience.optional(),
  /** Present for a person who runs this server. */
  isOperator: z.literal(true).optional(),
});
export type UserDocument = z.infer<typeof userDocument>;

/** What others may know of a person by their uid. */
export const userCard = z.strictObject({ uid, name: z.string() });
export type UserCard = z.infer<typeof userCard>;

/** Who may sign up here: all people, those with an invitation link, or none. */
export const signUpModes = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** An origin, the network interface that has its address, and whether a page elsewhere was last opened with it. */
const linkChoice = z.strictObject({ origin: z.string(), of: z.string(), isOpened: z.boolean() });
export type LinkChoice = z.infer<typeof linkChoice>;

/** What the page needs to know of this installation before a person signs in. */
export const appConfig = z.strictObject({
  protocolVersion: z.number(),
  youtubeSearch: z.boolean(),
  /** Whether the server can decode recordings; absent: it can't. */
  voiceMessages: z.boolean().optional(),
  /** Whether the server makes previews of links; absent: it does not. */
  linkPreviews: z.boolean().optional(),
  youtubeVisiblePlayer: z.boolean(),
  tokenSyncUrl: z.string().nullable(),
  /** Without a mail server: pages of the server's own machine show their mails, all others wait. Absent with one. */
  noMail: z.enum(['here', 'elsewhere']).optional(),
  /** To pages of the server's own machine: what links can begin with that other devices open, the best first. */
  linkChoices: z.array(linkChoice).optional(),
  /** While the code of the server's log makes an operator: the first one. */
  needsOperator: z.literal(true).optional(),
  /** A user signed in with this browser before; it does not say which. */
  knowsBrowser: z.literal(true).optional(),
  /** The address to open Tunemate at, for a page at an address that the server does not accept as its own. */
  openAt: z.string().nullable(),
  signUp: z.enum(signUpModes),
});
export type AppConfig = z.infer<typeof appConfig>;

/** Who is signed in by the cookie. 'unverified' may only ask for the mail, verify, delete the account, sign out. */
export const sessionState = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('signed-out') }),
  z.strictObject({ status: z.literal('unverified'), uid, name: z.string(), email: z.string() }),
  z.strictObject({ status: z.literal('signed-in'), user: userDocument }),
]);
export type SessionState = z.infer<typeof sessionState>;

export const sessionRow = z.strictObject({
  sessionId: z.string(),
  device: z.string(),
  createdAt: z.number(),
  lastSeenAt: z.number(),
  isCurrent: z.boolean(),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** Keys are the HTTP method and path. GET changes nothing; all others take and answer JSON. */
export const accountRoutes = {
  'GET /api/config': route({
    may: 'read how this server is set up',
    session: 'none',
    limit: 'general',
    payload: nothing,
    value: appConfig,
  }),
  'GET /api/session': route({
    may: 'read whose session this browser has',
    session: 'none',
    limit: 'general',
    payload: nothing,
    value: sessionState,
  }),
  /**
   * Answers the same whether or not the address is known; `ticket` lets this page ask for the mail again. A cookie that
   * scripts can't read lets this browser, and no other, be signed in by `continue-sign-up`.
   */
  'POST /api/accounts/sign-up': route({
    may: 'sign up, as SIGN_UP allows',
    session: 'none',
    limit: 'signUp',
    /** `invitation` is of the link that the page was opened with. */
    payload: z.strictObject({
      name: personName,
      email,
      password,
      invitation: z.string().max(100).optional(),
      room: destination.optional(),
    }),
    value: z.strictObject({ ticket: z.string(), number: signUpNumber, mail: shownMail.optional() }),
  }),
  /**
   * Waits for the link of the mail, or for an operator. Answers 'signed-in' once it was pressed, anywhere, or the operator
   * let the person in; 'waiting' after 15 s at most, to be asked again; 'refused' by an operator; 'over' when this browser
   * can't be signed in by this sign-up.
   */
  'POST /api/accounts/continue-sign-up': route({
    may: 'be signed in by the sign-up of this browser, once its link was pressed',
    session: 'none',
    limit: 'verify',
    payload: z.strictObject({ ticket: z.string().max(100) }),
    value: z.strictObject({ status: z.enum(['waiting', 'signed-in', 'refused', 'over']) }),
  }),
  'POST /api/accounts/sign-in': route({
    may: 'sign in with an address and its password',
    session: 'none',
    limit: 'signIn',
    payload: z.strictObject({ email: knownEmail, password }),
    value: sessionState,
  }),
  'POST /api/accounts/sign-out': route({
    may: 'sign out',
    session: 'none',
    limit: 'general',
    payload: nothing,
    value: nothing,
  }),
  /** From the session of someone unverified, or with the ticket of a sign-up just made. */
  'POST /api/accounts/resend-verification': route({
    may: 'ask for the mail of a sign-up again, with its session or its ticket',
    session: 'none',
    limit: 'resend',
    payload: z.strictObject({ ticket: z.string().max(100).optional(), room: destination.optional() }),
    value: z.strictObject({ mail: shownMail.optional() }),
  }),
  /**
   * What the page of a mailed link shows before the user presses anything: 'done' for a day after the link did what it is
   * for, so that a second opening, on any device, says so; 'over' for a link that does not work. `account` is what an
   * open link would verify.
   */
  'GET /api/accounts/mailed-link': route({
    may: 'read what the link of a mail is for',
    session: 'none',
    limit: 'general',
    payload: z.strictObject({ mode: z.enum(linkModes), oobCode }),
    value: z.strictObject({ status: z.enum(['open', 'done', 'over']), account: mailedAccount.optional() }),
  }),
  /**
   * The account now has the name and password of the sign-up that the link was mailed for. `isSignedIn`: this browser
   * waited for it and is signed in. Elsewhere `rejectCode` lets the page undo it, should the sign-up be another person's.
   */
  'POST /api/accounts/verify-email': route({
    may: 'verify an address by the link of a mail',
    session: 'none',
    limit: 'verify',
    payload: z.strictObject({ oobCode }),
    value: z.strictObject({ name: z.string(), isSignedIn: z.boolean(), rejectCode: z.string().nullable() }),
  }),
  /**
   * The sign-up was not the address's owner's. With the code of a link that was not used it ends that sign-up; with the
   * `rejectCode` of one that was, it deletes the account.
   */
  'POST /api/accounts/reject-sign-up': route({
    may: 'end a sign-up that was made with their address, by the link of its mail',
    session: 'none',
    limit: 'verify',
    payload: z.strictObject({ oobCode }),
    value: nothing,
  }),
  /** While the last mail is fresh no other is sent, and its link stays good; the answer is the same. */
  'POST /api/accounts/request-password-reset': route({
    may: 'ask for a mail with a link to a new password',
    session: 'none',
    limit: 'resetMails',
    payload: z.strictObject({ email: knownEmail }),
    value: nothing,
  }),
  'POST /api/accounts/reset-password': route({
    may: 'set a new password by the link of a mail',
    session: 'none',
    limit: 'verify',
    payload: z.strictObject({ oobCode, password }),
    value: nothing,
  }),
  'PATCH /api/accounts/me': route({
    may: 'change their own name and settings',
    session: 'verified',
    limit: 'general',
    payload: z.strictObject({
      name: personName.optional(),
      readReceipts: z.boolean().optional(),
      linkPreviews: z.boolean().optional(),
      hearingShownTo: hearingAudience.optional(),
    }),
    value: userDocument,
  }),
  'POST /api/accounts/change-password': route({
    may: 'change their own password, with the current one',
    session: 'session',
    limit: 'password',
    payload: z.strictObject({ currentPassword: password, password }),
    value: nothing,
  }),
  'GET /api/accounts/sessions': route({
    may: 'list their own sessions',
    session: 'session',
    limit: 'general',
    payload: nothing,
    value: z.strictObject({ sessions: z.array(sessionRow) }),
  }),
  'POST /api/accounts/revoke-session': route({
    may: 'end one of their own sessions',
    session: 'session',
    limit: 'general',
    payload: z.strictObject({ sessionId: z.string().max(64) }),
    value: nothing,
  }),
  'POST /api/accounts/sign-out-everywhere': route({
    may: 'end all their own sessions',
    session: 'session',
    limit: 'general',
    payload: nothing,
    value: nothing,
  }),
  'POST /api/accounts/delete': route({
    may: 'delete their own account, with its password',
    session: 'session',
    limit: 'password',
    payload: z.strictObject({ password }),
    value: nothing,
  }),
} as const;
