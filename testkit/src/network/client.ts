/** One typed connection to a server under test, as the web application opens it. It never reconnects by itself. */
import type { ClientEvents, ServerEvents } from '@tunemate/protocol';
import { io, type Socket } from 'socket.io-client';

export type Client = Socket<ServerEvents, ClientEvents>;

export interface ClientOptions {
  cookie: string;
  /** Of the page; by default the server's own address. */
  origin?: string;
  /** These go with the upgrade as well. */
  headers?: Record<string, string>;
}

/** Connects, without a hello. Rejects with the reason when the server refuses. */
export async function openClient(url: string, { cookie, origin = url, headers = {} }: ClientOptions): Promise<Client> {
  const client: Client = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: { ...headers, cookie, origin },
  });
  await new Promise<void>((resolve, reject) => {
    client.once('connect', resolve);
    client.once('connect_error', reject);
    // Only this reports a connection that breaks before it was accepted. For a refused one, `connect_error` follows with
    // the reason.
    client.io.once('close', () => setImmediate(() => reject(new Error('cut off'))));
  });
  return client;
}
