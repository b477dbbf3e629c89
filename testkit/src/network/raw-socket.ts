/**
 * A WebSocket that speaks whatever a test wants: frames that no real client would send, and a reader that stops reading.
 */
import { once } from 'node:events';
import type { Socket as NetSocket } from 'node:net';
import WebSocket from 'ws';

export interface RawSocket {
  /** Engine.IO packets received, in order. */
  readonly received: string[];
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
  /** Joins the namespace before it is handed out. */
  readonly connect?: boolean;
  /** Further parameters of the address, as they are: `sid=…`. */
  readonly query?: string;
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
  const { cookie, origin = app.url, connect = true } = options;
  const headers = {
    ...options.headers,
    ...(cookie === undefined ? {} : { cookie }),
    ...(origin === null ? {} : { origin }),
  };
  const address = `ws://127.0.0.1:${String(app.app.port)}/socket.io/?EIO=4&transport=websocket&${options.query ?? ''}`;
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
  if (connect) {
    socket.send('40');
    while (!received.some((frame) => frame.startsWith('40') || frame.startsWith('44'))) await once(socket, 'message');
  }
  return {
    received,
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
