/**
 * What the models see of the connection to the server: requests with typed answers, streams of live changes, and the
 * status. Knows nothing of sockets, retries or React, nor what any message means.
 */
import type {
  ErrorCode,
  HostChange,
  UserChange,
  UserSnapshot,
  EphemeralEvent,
  PayloadInput,
  RequestName,
  Result,
  RoomChange,
  TabId,
  Value,
} from '@tunemate/protocol';
import type { Readable, Unsubscribe } from '../store/cell.ts';

/** The status of the connection. All times are of this device's clock, in milliseconds. */
export type ConnectionStatus =
  /** No connection is wanted: the user is signed out, or the page is closing. */
  | { readonly status: 'closed' }
  | { readonly status: 'connecting' }
  | { readonly status: 'live' }
  /** The connection was lost and is being opened again; `attempt` counts from 1. */
  | { readonly status: 'reconnecting'; readonly attempt: number; readonly retryAtMs: number }
  /** The server refuses this session (auth/required, auth/email-unverified). No further attempt is made. */
  | { readonly status: 'refused'; readonly code: ErrorCode }
  /** This page is older than the server and reloading did not help. */
  | { readonly status: 'outdated' };

/** The stream of a room, of a room's host, or of the current user. Write it as `room:${room.roomId}`. */
export type StreamName = `room:${string}` | `host:${string}` | `user:${string}`;
export type ChangeOf<Stream extends StreamName> = Stream extends `room:${string}`
  ? RoomChange
  : Stream extends `host:${string}`
    ? HostChange
    : UserChange;

/** Keeps a copy of a stream's subject. */
export interface Follower<Change> {
  /** The `seq` of the snapshot in hand: changes up to it are dropped. */
  readonly fromSeq: number;
  /** Each change once, in order, none missing. */
  readonly onChange: (change: Change, seq: number) => void;
  /**
   * The copy is incomplete: numbers are missing, or the connection was replaced and the server no longer sends this
   * stream. Fetch a fresh snapshot (for a room: 'rooms/enter' again), apply it, and return its `seq`; null when that
   * failed. Changes that arrive meanwhile are held. After null it is called again once the connection is live, or 2 s
   * later.
   */
  readonly resnapshot: () => Promise<number | null>;
}

export interface RequestOptions {
  /** How long to wait for the answer before it counts as server/unavailable. 10,000 by default. */
  readonly timeoutMs?: number;
}

/** The one connection of this tab. */
export interface Connection {
  readonly status: Readable<ConnectionStatus>;
  /** The id of this tab. A reload keeps it; a duplicated tab gets another one (CONN-15). */
  readonly tabId: TabId;

  /** Asks once. Without a connection, and without an answer in time, the result is server/unavailable. Never throws. */
  request<Name extends RequestName>(
    name: Name,
    payload: PayloadInput<Name>,
    options?: RequestOptions,
  ): Promise<Result<Value<Name>>>;

  /**
   * Asks until there is an answer, over as many reconnects as that takes. Only for idempotent requests: those that
   * carry a clientId or change nothing. `signal` cancels; the result is then server/unavailable.
   */
  requestUntilAnswered<Name extends RequestName>(
    name: Name,
    payload: PayloadInput<Name>,
    options?: RequestOptions & { readonly signal?: AbortSignal },
  ): Promise<Result<Value<Name>>>;

  /**
   * Follows a stream from a snapshot in hand. Changes that came before this call are not lost: those of streams nobody
   * follows yet are held. One follower per stream; a second takes the first one's place.
   */
  follow<Stream extends StreamName>(stream: Stream, follower: Follower<ChangeOf<Stream>>): Unsubscribe;

  /**
   * The stream of the current user, which the connection follows by itself: a snapshot per connection, then each
   * change.
   */
  onUserSnapshot(listener: (snapshot: UserSnapshot) => void): Unsubscribe;
  onUserChange(listener: (change: UserChange) => void): Unsubscribe;

  /** Ephemeral events, such as someone typing. */
  onEphemeral(listener: (event: EphemeralEvent) => void): Unsubscribe;
}
