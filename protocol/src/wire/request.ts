/**
 * How a request is declared: what it carries, what its acknowledgement holds, who may ask it, and which limit counts it.
 * The server checks all of it; the sentences of docs/access.md and the rows of the access matrices are made from it.
 */
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** The token bucket that a request draws from. Its numbers stand in `server/src/access/limits.ts`. */
export type LimitName =
  | 'signIn'
  | 'signUp'
  | 'resend'
  | 'resetMails'
  | 'verify'
  | 'password'
  | 'lookUp'
  | 'joinRequest'
  | 'roomCreate'
  | 'chat'
  | 'voice'
  | 'playback'
  | 'playbackBytes'
  | 'orders'
  | 'reactions'
  | 'receipts'
  | 'invite'
  | 'soulmate'
  | 'search'
  | 'messageSearch'
  | 'cards'
  | 'previews'
  | 'subtitles'
  | 'browsing'
  | 'playlists'
  | 'listens'
  | 'report'
  | 'export'
  | 'general';

/** What a caller must be to the room that a request names. */
export type RoomNeed = 'anyone' | 'requester' | 'member' | 'host';

/** What the payload names, and what the caller must be to it; the handler gets it as its subject. */
export interface Needs {
  /** A room, by kind and code. */
  room?: RoomNeed;
  /** Another person, who must have or have had an account. */
  person?: 'known';
  /** A conversation, which must be the caller's own. */
  chat?: 'own';
}

/** The session that a route requires: none, any, or that of a verified person. */
export type SessionNeed = 'none' | 'session' | 'verified';

/**
 * How a connection serves a request beside its others. One without a word is served after those that came before it.
 * - `unordered`: at once; it changes nothing and waits for nothing
 * - `outside`, `previews`: at once; it changes nothing and may wait for a service outside. Previews wait for servers that
 *   other people choose, so searches don't wait for them.
 * - `together`: in order, but at one moment with those of its name that wait right behind it: each is a write that does
 *   not read what the one before it was answered, and on SQLite such writes share a commit
 */
export type RequestTurn = 'unordered' | 'outside' | 'previews' | 'together';

/** A socket request. Its session is that of the connection, which is opened for verified people only. */
export interface RequestDeclaration {
  /**
   * What the person may do, as docs/access.md prints it behind who may: `lock the room, or unlock it` with
   * `needs: { room: 'host' }` is "The host may lock the room, or unlock it."
   */
  may: string;
  payload: z.ZodType;
  value: z.ZodType;
  needs?: Needs;
  limit: LimitName;
  /** A second bucket, from which a call takes the bytes that it stores. */
  budget?: LimitName;
  turn?: RequestTurn;
  /** Refusals that would reveal too much here, and what is answered instead. */
  refusesWith?: Partial<Record<ErrorCode, ErrorCode>>;
}

/** An HTTP route. */
export interface RouteDeclaration {
  /** As of a socket request. */
  may: string;
  payload: z.ZodType;
  value: z.ZodType;
  session: SessionNeed;
  limit: LimitName;
}

export const request = <const Declaration extends RequestDeclaration>(declaration: Declaration): Declaration =>
  declaration;

export const route = <const Declaration extends RouteDeclaration>(declaration: Declaration): Declaration => declaration;
