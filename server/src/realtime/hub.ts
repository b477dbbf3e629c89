/**
 * All connections of this process: greets them, gives the feed its audience, ends those whose session ended and those
 * that stopped reading.
 */
import type { Entries, OwnChange, Passing, Refusal, StreamId } from '@tunemate/protocol';
import type { Log } from '../ports.ts';
import type { Caller } from './caller.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import type { Audience } from './feed.ts';
import type { IoServer } from './socket-server.ts';

/** A connection that lets this much wait for it has stopped reading (F11). */
const maxWaitingBytes = 1024 * 1024;
const maxWaitingPackets = 1000;

export class Hub implements Audience {
  readonly #io: IoServer;
  readonly #log: Log;
  readonly #connections = new Map<string, Connection>();

  constructor(io: IoServer, log: Log) {
    this.#io = io;
    this.#log = log;
  }

  /** Begins to accept connections. */
  open(deps: ConnectionDeps): void {
    this.#io.on('connection', (socket) => {
      const connection = new Connection(socket, deps);
      this.#connections.set(socket.id, connection);
      socket.on('disconnect', () => this.#connections.delete(socket.id));
    });
  }

  size(stream: StreamId): number {
    return this.#io.sockets.adapter.rooms.get(stream)?.size ?? 0;
  }

  deliver(batch: Entries): void {
    this.#io.to(batch.stream).emit('entries', batch);
    for (const change of batch.changes) this.#obey(change as OwnChange);
  }

  expel(stream: StreamId, uid: string | null): void {
    for (const connection of this.#attending(stream)) {
      if (uid === null || connection.caller?.uid === uid) void connection.socket.leave(stream);
    }
  }

  join(caller: Caller, stream: StreamId): void {
    void this.#connectionOf(caller)?.socket.join(stream);
  }

  leave(caller: Caller, stream: StreamId): void {
    void this.#connectionOf(caller)?.socket.leave(stream);
  }

  /** Passing news to everyone who attends the stream. */
  passOn(stream: StreamId, news: Passing): void {
    this.#io.to(stream).emit('passing', news);
  }

  /** Lets go of connections that do not read what they are sent. */
  dropStalled(): void {
    for (const connection of this.#connections.values()) {
      const engine = connection.socket.conn as unknown as {
        writeBuffer: unknown[];
        transport: { socket?: { bufferedAmount?: number } };
      };
      const waitingBytes = engine.transport.socket?.bufferedAmount ?? 0;
      if (waitingBytes < maxWaitingBytes && engine.writeBuffer.length < maxWaitingPackets) continue;
      this.#log.warn({ waitingBytes, uid: connection.caller?.uid }, 'connection.stalled');
      connection.socket.conn.close(true);
    }
  }

  /** Tells everyone why and closes; resolves when all are closed. */
  async close(why: Refusal): Promise<void> {
    for (const connection of this.#connections.values()) connection.socket.emit('goodbye', why);
    await this.#io.close();
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

  #obey(change: OwnChange): void {
    if (change.type === 'accounts/sessionsEnded') this.endSessions(change.sessionIds);
  }

  *#attending(stream: StreamId): Iterable<Connection> {
    for (const id of [...(this.#io.sockets.adapter.rooms.get(stream) ?? [])]) {
      const connection = this.#connections.get(id);
      if (connection) yield connection;
    }
  }

  #connectionOf(caller: Caller): Connection | undefined {
    return this.#connections.get(caller.connectionId);
  }
}
