/**
 * What the models see of the connection to the server: requests with typed answers, streams of live changes, and how
 * the line stands. Says nothing of sockets, retries or React; no message is understood here.
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

/** How the line stands. All times are of this device's clock, in milliseconds. */
export type ConnectionStatus =
  /** Nobody asked for a connection: signed out, or the page is closing. */
  | { readonly status: 'closed' }
  | { readonly status: 'connecting' }
  | { readonly status: 'live' }
  /** The line broke and is being mended; `attempt` counts from 1. */
  | { readonly status: 'reconnecting'; readonly attempt: number; readonly retryAtMs: number }
  /** The server will not have this session (auth/required, auth/email-unverified). It is not tried again. */
  | { readonly status: 'refused'; readonly code: ErrorCode }
  /** This page is older than the server and reloading did not help. */
  | { readonly status: 'outdated' };

/** A room's stream, that of its host, or a person's own. Write it as `room:${room.roomId}`. */
export type StreamName = `room:${string}` | `host:${string}` | `user:${string}`;
export type ChangeOf<Stream extends StreamName> = Stream extends `room:${string}`
  ? RoomChange
  : Stream extends `host:${string}`
    ? HostChange
    : UserChange;

/** Somebody who keeps a copy of what a stream tells. */
export interface Follower<Change> {
  /** The `seq` of the snapshot in hand: changes up to it are dropped. */
  readonly fromSeq: number;
  /** Each change once, in order, none missing. */
  readonly onChange: (change: Change, seq: number) => void;
  /**
   * The copy can't be continued: numbers are missing, or the line was replaced and the server no longer sends this
   * stream. Fetch a fresh snapshot (for a room: 'rooms/enter' again), take it over, and answer its `seq`; null when that
   * failed. What arrives meanwhile is held back. After null it is called again when the line is live again, or 2 s later.
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
  /** This tab, for as long as it lives, reloads included; a duplicated tab is another one (CONN-15). */
  readonly tabId: TabId;

  /** Asks once. Without a line, and when the answer stays away, the result is server/unavailable. Never throws. */
  request<Name extends RequestName>(
    name: Name,
    payload: PayloadInput<Name>,
    options?: RequestOptions,
  ): Promise<Result<Value<Name>>>;

  /**
   * Asks until there is an answer, over as many reconnects as that takes. Only for requests that may arrive twice:
   * those that carry a clientId or change nothing. `signal` gives up; the result is then server/unavailable.
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

  /** One's own stream, which the connection follows by itself: a snapshot with each new line, then each change. */
  onUserSnapshot(listener: (snapshot: UserSnapshot) => void): Unsubscribe;
  onUserChange(listener: (change: UserChange) => void): Unsubscribe;

  /** Passing news, such as someone typing. */
  onEphemeral(listener: (news: EphemeralEvent) => void): Unsubscribe;

  /** The page goes, or the person signs out, and the line still carries what is sent at once. */
  onLeaving(listener: () => void): Unsubscribe;
}
