/**
 * The session that a cookie stands for. Nothing else identifies a caller (ACCESS-16).
 */
import type { Uid } from '@tunemate/protocol';

export type Session =
  | { status: 'signed-out' }
  | { status: 'unverified'; uid: Uid; sessionId: string }
  | { status: 'signed-in'; uid: Uid; sessionId: string; isOperator?: boolean };

/** The session of a signed-in user, verified or not. */
export type UserSession = Exclude<Session, { status: 'signed-out' }>;

/** Reads the raw `cookie` header of a request or of a socket's handshake. */
export type SessionOfCookie = (cookieHeader: string | undefined) => Promise<Session>;
