/**
 * All connections of this process: opens them, keeps the subscribers of each stream for the feed, ends connections
 * whose session ended and those that stopped reading.
 */
import {
  type Entries,
  type EphemeralEvent,
  type Refusal,
  type StreamId,
  type UserChange,
  writeEvent,
  weights,
} from '@tunemate/protocol';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../system/ports.ts';
import { settledWithin } from '../system/within.ts';
import type { Caller } from '../access/caller.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import type { Subscribers } from './feed.ts';
import { textFrame } from './link.ts';
import { createReading, mostUnread } from './reading.ts';
import type { SocketServer } from './socket-server.ts';
import type { Turns } from './turns.ts';

/**
 * A connection with this much unsent data, or that has read nothing for this long, has stopped reading. A slow page may
 * have the longest answer before it, behind what did not keep it from being served.
 */
const maxWaitingBytes = weights.longestAnswerBytes + mostUnread;
const maxWaitingFrames = 1000;
const maxWaitingMs = 10_000;
/** How long a stop waits for requests in flight, and for clients to answer the closing of their connection. */
const drainWithinMs = 3000;
const closeWithinMs = 1000;

/** Notes that so many changes were sent to so many connections. */
type NoteDelivery = (changes: number, connections: number) => void;

/** What the connections of this process amount to at this moment. */
interface Load {
  connections: number;
  /** Requests that wait for those before them. */
  requests: number;
  /** Bytes that clients have not read. */
  unsentBytes: number;
}

export class Hub implements Subscribers {
  readonly #server: SocketServer;
  readonly #log: Log;
  readonly #noteDelivery: NoteDelivery;
  readonly #connections = new Map<string, Connection>();
  readonly #followers = new Map<StreamId, Set<Connection>>();
  #isClosing = false;

  constructor(server: SocketServer, log: Log, noteDelivery: NoteDelivery) {
    this.#server = server;
    this.#log = log;
    this.#noteDelivery = noteDelivery;
  }

  /** Begins to accept connections. */
  open(deps: ConnectionDeps, inTurn: Turns): void {
    const reading = createReading();
    this.#server.onLink((link) => {
      const ended = reading.add(link);
      const connection: Connection = new Connection(link, deps, { inTurn, reading }, () => {
        ended();
        this.#forget(connection);
      });
      if (this.#isClosing) return connection.end({ code: 'server/unavailable' });
      this.#connections.set(link.id, connection);
    });
  }

  size(stream: StreamId): number {
    return this.#followers.get(stream)?.size ?? 0;
  }

  deliver(batch: Entries, uid?: string): void {
    const all = this.#followers.get(batch.stream) ?? new Set();
    const followers = uid === undefined ? all : new Set([...all].filter(({ caller }) => caller?.uid === uid));
    if (followers.size > 0) sendTo(followers, writeEvent('entries', batch));
    this.#noteDelivery(batch.changes.length, followers.size);
    for (const change of batch.changes) this.#obey(change as UserChange);
  }

  expel(stream: StreamId, uid: string | null): void {
    for (const connection of this.#followers.get(stream) ?? []) {
      if (uid === null || connection.caller?.uid === uid) this.#unfollow(connection, stream);
    }
  }

  join(caller: Caller, stream: StreamId): void {
    const connection = this.#connectionOf(caller);
    if (!connection) return;
    connection.streams.add(stream);
    const followers = this.#followers.get(stream);
    if (followers) followers.add(connection);
    else this.#followers.set(stream, new Set([connection]));
  }

  leave(caller: Caller, stream: StreamId): void {
    const connection = this.#connectionOf(caller);
    if (connection) this.#unfollow(connection, stream);
  }

  /** Sends an ephemeral event to all subscribers of these streams on this process, once to each. */
  sendEphemeral(streams: readonly StreamId[], news: EphemeralEvent): void {
    const followers = new Set(streams.flatMap((stream) => [...(this.#followers.get(stream) ?? [])]));
    if (followers.size > 0) sendTo(followers, writeEvent('ephemeral', news));
  }

  load(): Load {
    const all = [...this.#connections.values()];
    return {
      connections: all.filter(({ caller }) => caller !== null).length,
      requests: all.reduce((sum, { waitingRequests }) => sum + waitingRequests, 0),
      unsentBytes: all.reduce((sum, { link }) => sum + link.unsent.bytes, 0),
    };
  }

  /** Ends connections that do not read what they are sent. */
  dropStalled(): void {
    for (const connection of this.#connections.values()) {
      const { stuckMs } = connection.link;
      if (stuckMs === null) continue;
      const { bytes, frames } = connection.link.unsent;
      const isStalled = bytes >= maxWaitingBytes || frames >= maxWaitingFrames || stuckMs >= maxWaitingMs;
      if (!isStalled) continue;
      this.#log.warn({ bytes, frames, uid: connection.caller?.uid }, 'connection.stalled');
      connection.abandon();
    }
  }

  /** Accepts no more requests; resolves when those accepted are answered, or after 3 s. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    await settledWithin(
      drainWithinMs,
      [...this.#connections.values()].map((connection) => connection.retire()),
    );
  }

  /** Sends the reason to all connections and closes them; resolves when their ends are stored. */
  async close(why: Refusal): Promise<void> {
    this.#isClosing = true;
    const connections = [...this.#connections.values()];
    sendTo(connections, writeEvent('goodbye', why));
    // Closing drops what is not sent: behind an answer that is just being written, that is the goodbye.
    await settledWithin(
      closeWithinMs,
      connections.map(({ link }) => link.flushed()),
    );
    for (const { link } of connections) link.close();
    await this.#server.close(closeWithinMs);
    await Promise.all(connections.map((connection) => connection.settled()));
  }

  callers(): Caller[] {
    return [...this.#connections.values()].flatMap(({ caller }) => (caller ? [caller] : []));
  }

  endSessions(sessionIds: readonly string[]): void {
    const ended = new Set(sessionIds);
    for (const connection of this.#connections.values()) {
      if (connection.caller && ended.has(connection.caller.sessionId)) connection.end({ code: 'auth/required' });
    }
  }

  /** Sends everyone away, who will come back here or to another process. */
  endAll(why: Refusal): void {
    for (const connection of this.#connections.values()) connection.end(why);
  }

  #obey(change: UserChange): void {
    if (change.type === 'accounts/sessionsEnded') this.endSessions(change.sessionIds);
    if (change.type !== 'session/letGo') return;
    for (const connectionId of change.connectionIds)
      this.#connections.get(connectionId)?.end({ code: 'session/elsewhere' });
  }

  #unfollow(connection: Connection, stream: StreamId): void {
    connection.streams.delete(stream);
    const followers = this.#followers.get(stream);
    followers?.delete(connection);
    if (followers?.size === 0) this.#followers.delete(stream);
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection.link.id);
    for (const stream of connection.streams) this.#unfollow(connection, stream);
  }

  #connectionOf(caller: Caller): Connection | undefined {
    return this.#connections.get(caller.connectionId);
  }
}

/** The frame is made once for all of them. */
function sendTo(connections: Iterable<Connection>, text: string): void {
  const frame = textFrame(text);
  for (const { link } of connections) link.send(frame);
}

/** What was delivered, for Prometheus. */
export function deliveryMetric(registry: Registry): NoteDelivery {
  const deliveries = new Counter({
    name: 'tunemate_deliveries_total',
    help: 'Changes that were sent, counted once for each connection.',
    registers: [registry],
  });
  return (changes, connections) => deliveries.inc(changes * connections);
}

/** Connections and what waits on them, for Prometheus: shows this load from now on. */
export function showLoad(registry: Registry, load: () => Load): void {
  const gauge = (name: string, help: string, read: (now: Load) => number) =>
    void new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(load()));
      },
    });
  gauge('tunemate_connections', 'Open connections of pages to this process.', ({ connections }) => connections);
  gauge('tunemate_requests_waiting', 'Requests of pages that wait for those before them.', ({ requests }) => requests);
  gauge('tunemate_unsent_bytes', 'Bytes that pages have not read yet.', ({ unsentBytes }) => unsentBytes);
}

/** A database that restarts, or answers late once, is waited for. */
const missesToLeave = 3;

interface DatabaseWatchDeps {
  /** Whether the database answers. */
  isReachable: () => Promise<boolean>;
  /** Ends all connections. */
  leave: () => void;
  log: Log;
}

/**
 * Sends people away from a process that has lost its database: they would hear of no change, and would not know it. Where
 * another process is left, the balancer leads them there. To be run every other second.
 */
export function databaseWatch({ isReachable, leave, log }: DatabaseWatchDeps): () => Promise<void> {
  let misses = 0;
  return async () => {
    misses = (await isReachable()) ? 0 : misses + 1;
    if (misses < missesToLeave) return;
    if (misses === missesToLeave) log.warn({}, 'database.away');
    leave();
  };
}
