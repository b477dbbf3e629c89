/**
 * The session that a cookie stands for. Nothing else identifies a caller (ACCESS-16).
 */
import type { Uid } from '@tunemate/protocol';

export type Session =
  | { status: 'signed-out' }
  | { status: 'unverified'; uid: Uid; sessionId: string }
  | { status: 'signed-in'; uid: Uid; sessionId: string; isOperator?: boolean };

/** How long a session lasts at most (ACCT-14), and with it its cookie. */
export const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000;
/** E-mail links and sign-up tickets live this long, and with them the cookie of a browser that waits. */
export const codeLifetimeMs = 24 * 60 * 60 * 1000;

/** The session of a signed-in user, verified or not. */
export type UserSession = Exclude<Session, { status: 'signed-out' }>;

/** Reads the raw `cookie` header of a request or of a socket's handshake. */
export type SessionOfCookie = (cookieHeader: string | undefined) => Promise<Session>;
