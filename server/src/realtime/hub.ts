/**
 * All connections of this process: opens them, keeps the subscribers of each stream for the feed, ends connections
 * whose session ended and those that stopped reading.
 */
import type { Entries, UserChange, EphemeralEvent, Refusal, StreamId } from '@tunemate/protocol';
import type { Log } from '../system/ports.ts';
import { settledWithin } from '../system/within.ts';
import type { Caller } from '../access/caller.ts';
import { Connection, type ConnectionDeps, engineOf, untilSent, waitingIn } from './connection.ts';
import type { Subscribers } from './feed.ts';
import type { Load, NoteDelivery } from './live-metrics.ts';
import type { IoServer } from './socket-server.ts';
import type { Turns } from './turns.ts';

/** A connection with this much unsent data, or that has read nothing for this long, has stopped reading. */
const maxWaitingBytes = 1024 * 1024;
const maxWaitingPackets = 1000;
const maxWaitingMs = 10_000;
/** How long a stop waits for requests in flight, and for clients to answer the closing of their connection. */
const drainWithinMs = 3000;
const closeWithinMs = 1000;

export class Hub implements Subscribers {
  readonly #io: IoServer;
  readonly #log: Log;
  readonly #noteDelivery: NoteDelivery;
  readonly #connections = new Map<string, Connection>();
  /** Since when a connection has had unsent data and read none of it (process time, ms). */
  readonly #stuckSinceMs = new WeakMap<Connection, number>();
  #isClosing = false;

  constructor(io: IoServer, log: Log, noteDelivery: NoteDelivery) {
    this.#io = io;
    this.#log = log;
    this.#noteDelivery = noteDelivery;
  }

  /** Begins to accept connections. */
  open(deps: ConnectionDeps, inTurn: Turns): void {
    this.#io.on('connection', (socket) => {
      const connection = new Connection(socket, deps, inTurn);
      if (this.#isClosing) return connection.end({ code: 'server/unavailable' });
      this.#connections.set(socket.id, connection);
      socket.conn.on('drain', () => this.#stuckSinceMs.delete(connection));
      socket.on('disconnect', () => this.#connections.delete(socket.id));
    });
  }

  size(stream: StreamId): number {
    return this.#io.sockets.adapter.rooms.get(stream)?.size ?? 0;
  }

  deliver(batch: Entries): void {
    this.#io.to(batch.stream).emit('entries', batch);
    this.#noteDelivery(batch.changes.length, this.size(batch.stream));
    for (const change of batch.changes) this.#obey(change as UserChange);
  }

  expel(stream: StreamId, uid: string | null): void {
    for (const connection of this.#subscribersOf(stream)) {
      if (uid === null || connection.caller?.uid === uid) void connection.socket.leave(stream);
    }
  }

  join(caller: Caller, stream: StreamId): void {
    void this.#connectionOf(caller)?.socket.join(stream);
  }

  leave(caller: Caller, stream: StreamId): void {
    void this.#connectionOf(caller)?.socket.leave(stream);
  }

  /** Sends an ephemeral event to all subscribers of these streams on this process. */
  sendEphemeral(streams: readonly StreamId[], news: EphemeralEvent): void {
    const subscribed = streams.filter((stream) => this.size(stream) > 0);
    // In Socket.IO an empty list of rooms means everybody.
    if (subscribed.length > 0) this.#io.to(subscribed).emit('ephemeral', news);
  }

  load(): Load {
    const all = [...this.#connections.values()];
    return {
      connections: all.filter(({ caller }) => caller !== null).length,
      requests: all.reduce((sum, { waitingRequests }) => sum + waitingRequests, 0),
      unsentBytes: all.reduce((sum, { socket }) => sum + waitingIn(engineOf(socket)).bytes, 0),
    };
  }

  /** Ends connections that do not read what they are sent. */
  dropStalled(): void {
    const nowMs = performance.now();
    for (const connection of this.#connections.values()) {
      const engine = engineOf(connection.socket);
      const { bytes, packets } = waitingIn(engine);
      if (bytes === 0) {
        this.#stuckSinceMs.delete(connection);
        continue;
      }
      const sinceMs = this.#stuckSinceMs.get(connection) ?? nowMs;
      this.#stuckSinceMs.set(connection, sinceMs);
      const isStalled = bytes >= maxWaitingBytes || packets >= maxWaitingPackets || nowMs - sinceMs >= maxWaitingMs;
      if (!isStalled) continue;
      this.#log.warn({ bytes, packets, uid: connection.caller?.uid }, 'connection.stalled');
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
    for (const connection of connections) connection.socket.emit('goodbye', why);
    // Closing drops what is not sent: behind an answer that is just being written, that is the goodbye.
    await settledWithin(
      closeWithinMs,
      connections.map(({ socket }) => untilSent(engineOf(socket))),
    );
    const force = setTimeout(() => {
      for (const { socket } of connections) engineOf(socket).transport.socket?.terminate();
    }, closeWithinMs);
    await this.#io.close();
    clearTimeout(force);
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
  }

  *#subscribersOf(stream: StreamId): Iterable<Connection> {
    for (const id of this.#io.sockets.adapter.rooms.get(stream) ?? []) {
      const connection = this.#connections.get(id);
      if (connection) yield connection;
    }
  }

  #connectionOf(caller: Caller): Connection | undefined {
    return this.#connections.get(caller.connectionId);
  }
}
