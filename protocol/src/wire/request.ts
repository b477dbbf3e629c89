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
  | 'beside'
  | 'general';

/** What a caller must be to the room that a request names; 'remote' is the host or a person who holds the remote. */
export type RoomNeed = 'anyone' | 'requester' | 'member' | 'remote' | 'host';

/** What the payload names, and what the caller must be to it; the handler gets it as its subject. */
export interface Needs {
  /** A room, by kind and code. */
  room?: RoomNeed;
  /** Another person, who must have or have had an account. */
  person?: 'known';
  /** A conversation, which must be the caller's own. */
  chat?: 'own';
}

/** The session that a route requires: none, any, that of a verified person, or of one who runs the server. */
export type SessionNeed = 'none' | 'session' | 'verified' | 'operator';

/**
 * How a connection serves a request beside its others. One without a word is served after those that came before it.
 * - `unordered`: at once; it changes nothing and waits for nothing
 * - `outside`, `previews`: at once; it changes nothing and may wait for a service outside. Previews wait for servers that
 *   other people choose, so searches don't wait for them.
 * - `together`: in order, but at one moment with those of its name that wait right behind it: each is a write that does
 *   not read what the one before it was answered, and on SQLite such writes share a commit
 */
export type RequestTurn = 'unordered' | 'outside' | 'previews' | 'together';

/**
 * A socket request. Its session is that of the connection, which `server/src/realtime/socket-server.ts` opens for verified
 * people only. On its way it passes, in this order:
 *
 * 1. `web/src/connection/connection.ts`: waits for the acknowledgement; `web/src/connection/retry.ts` sends it again
 * 2. `web/src/connection/socket-link.ts`: the WebSocket of the page
 * 3. `server/src/realtime/link.ts`: size and number of the frames of a socket
 * 4. `protocol/src/wire/frames.ts`: whether the frame is a request
 * 5. `server/src/realtime/connection.ts`: the hello came first; `turn`, the order within the connection
 * 6. `server/src/realtime/turns.ts`: the order of a person's requests from all tabs, and their share of the processor
 * 7. `server/src/realtime/requests.ts`: the name, the bounds of JSON, the schema of `payload`
 * 8. `server/src/access/limits.ts`: `limit`, the limit between two people, `budget`
 * 9. `server/src/rooms/members/membership.ts`: the subject that `needs` names: a member of the room, a person or a chat
 * 10. the handler of its topic, as `server/src/rooms/chat/room-chat.ts`: the rules
 * 11. `server/src/storage/record.ts`: locks the streams; then `needs.room` is decided, inside the write
 * 12. `server/src/storage/writes.ts`: the transaction that writes share, and the numbers of the changes
 * 13. `server/src/storage/database.ts`: the commit
 * 14. `server/src/app/live.ts`: rings for each stream that changed, through Redis for other processes
 * 15. `server/src/realtime/feed.ts`: reads the changes and sends them on in order
 * 16. `server/src/realtime/hub.ts`: the subscribers of this process
 * 17. the way back: `requests.ts` (`refusesWith`), `connection.ts`, `link.ts`; the page applies each number once
 *
 * `server/src/realtime/request.flow.test.ts` sends one and holds that it runs through each file of the server here.
 */
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
  /** It reads for the page that asks and changes nothing for others: not begun once that page is gone. */
  isRead?: true;
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
