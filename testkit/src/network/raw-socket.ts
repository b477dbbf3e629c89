/**
 * A WebSocket that speaks whatever a test wants: frames that no real client would send, and a reader that stops reading.
 */
import type { Socket as NetSocket } from 'node:net';
import { socketPath } from '@tunemate/protocol';
import WebSocket from 'ws';

export interface RawSocket {
  /** Text frames received, in order. */
  readonly received: string[];
  /** Of them the answers to requests, or to the request of this number. */
  answers(id?: number): string[];
  /** Pings of ours that were answered. */
  pongs(): number;
  /** `isLast: false` sends a piece of a message that goes on. */
  send(frame: string | Buffer, isLast?: boolean): void;
  /** Bytes as they are, below WebSocket; resolves when the system has taken them or the connection is gone. */
  write(bytes: Buffer): Promise<void>;
  /** Control frames of WebSocket itself. */
  ping(): void;
  pong(): void;
  /** Resolves with the close code when the server has ended it. */
  readonly closed: Promise<number>;
  isOpen(): boolean;
  /** Reads nothing more from the network. */
  stopReading(): void;
  readAgain(): void;
  end(): void;
}

export interface RawSocketOptions {
  readonly cookie?: string;
  /** Undefined sends our own, null none. */
  readonly origin?: string | null;
  /** Where else than pages the socket is opened. */
  readonly path?: string;
  /** Further headers of the upgrade. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server on this machine, and the address that its pages have. */
export interface RawTarget {
  readonly url: string;
  readonly app: { readonly port: number };
}

/** Throws `HTTP <status>` where the upgrade is refused. */
export async function openRawSocket(app: RawTarget, options: RawSocketOptions = {}): Promise<RawSocket> {
  const { cookie, origin = app.url, path = socketPath } = options;
  const headers = {
    ...options.headers,
    ...(cookie === undefined ? {} : { cookie }),
    ...(origin === null ? {} : { origin }),
  };
  const address = `ws://127.0.0.1:${String(app.app.port)}${path}`;
  const socket = new WebSocket(address, { headers, perMessageDeflate: false });
  const received: string[] = [];
  let pongs = 0;
  socket.on('pong', () => (pongs += 1));
  socket.on('message', (data) => received.push((data as Buffer).toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      reject(new Error(`HTTP ${String(response.statusCode)}`));
      socket.terminate();
    });
    socket.once('error', reject);
  });
  return {
    received,
    answers: (id) =>
      received.filter((frame) => (id === undefined ? /^\[\d/.test(frame) : frame.startsWith(`[${String(id)},`))),
    pongs: () => pongs,
    closed,
    send: (frame, isLast = true) => socket.send(frame, { fin: isLast }),
    write: (bytes) =>
      new Promise((resolve) => (socket as unknown as { _socket: NetSocket })._socket.write(bytes, () => resolve())),
    ping: () => socket.ping(),
    pong: () => socket.pong(),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    stopReading: () => socket.pause(),
    readAgain: () => socket.resume(),
    end: () => socket.terminate(),
  };
}
