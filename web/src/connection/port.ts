/**
 * The connection as types: what models see of it (requests with typed answers, streams of changes, the status), and the
 * link that carries it, which tests replace.
 */
import type {
  Entries,
  EphemeralEvent,
  ErrorCode,
  HostChange,
  PayloadInput,
  Refusal,
  RequestName,
  Result,
  RoomChange,
  TabId,
  UserChange,
  UserSnapshot,
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

/** Keeps a copy of the state that a stream changes. */
export interface Subscriber<Change> {
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

interface RequestOptions {
  /** How long to wait for the answer before it counts as server/unavailable. 10,000 by default. */
  readonly timeoutMs?: number;
}

/** The one connection of this tab. */
export interface Connection {
  readonly status: Readable<ConnectionStatus>;
  /** The id of this tab. A reload keeps it; a duplicated tab gets another one. */
  readonly tabId: TabId;

  /** Sends once. Without a connection, or an answer in time, the result is server/unavailable. Never throws. */
  request<Name extends RequestName>(
    name: Name,
    payload: PayloadInput<Name>,
    options?: RequestOptions,
  ): Promise<Result<Value<Name>>>;

  /**
   * Sends until there is an answer, over any number of reconnects. Only for idempotent requests: those that
   * carry a clientId or change nothing. `signal` cancels; the result is then server/unavailable.
   */
  requestUntilAnswered<Name extends RequestName>(
    name: Name,
    payload: PayloadInput<Name>,
    options?: RequestOptions & { readonly signal?: AbortSignal },
  ): Promise<Result<Value<Name>>>;

  /**
   * Subscribes to a stream, starting from a snapshot in hand. Changes that arrived before this call are not lost: those
   * of streams without a subscriber are held. One subscriber per stream; a second replaces the first.
   */
  subscribe<Stream extends StreamName>(stream: Stream, subscriber: Subscriber<ChangeOf<Stream>>): Unsubscribe;

  /** The stream of the current user, which needs no `subscribe`: a snapshot per connection, then each change. */
  onUserSnapshot(listener: (snapshot: UserSnapshot) => void): Unsubscribe;
  onUserChange(listener: (change: UserChange) => void): Unsubscribe;

  onEphemeral(listener: (event: EphemeralEvent) => void): Unsubscribe;
}

/** One attempt at a connection. It never reconnects: when it is lost, a new link is opened. */
export interface Link {
  /** Sends a request; `onAnswer` is called at most once, and never after `onLost`. */
  send(name: RequestName, payload: unknown, onAnswer: (result: Result<unknown>) => void): void;
  /** Closes the link and notifies the server at once that the page leaves; `onLost` is not called. */
  close(): void;
  /** Breaks the link off without notifying the server: the page reconnects. `onLost` is not called. */
  breakOff(): void;
}

export interface LinkEvents {
  onOpen(): void;
  /** The link is lost, or could not be opened. `refusal` is the server's reason, if it sent one. */
  onLost(refusal: Refusal | null): void;
  onEntries(batch: Entries): void;
  onEphemeral(event: EphemeralEvent): void;
}

export type OpenLink = (events: LinkEvents) => Link;
