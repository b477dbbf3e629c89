/** One typed connection to a server under test, as the web application opens it. It never reconnects by itself. */
import {
  byeWord,
  pingWord,
  pongWord,
  readServerFrame,
  type Refusal,
  type Result,
  type ServerEvents,
  socketPath,
  writeRequest,
} from '@tunemate/protocol';
import { EventEmitter } from 'node:events';
import WebSocket from 'ws';

export interface ClientOptions {
  cookie: string;
  /** Of the page; by default the server's own address. */
  origin?: string;
  /** These go with the upgrade as well. */
  headers?: Record<string, string>;
}

type ClientEvents = { [Name in keyof ServerEvents]: [value: ServerEvents[Name]] } & {
  /** The connection is over, by either side. */
  disconnect: [];
  /** Everything that arrives, as text on the wire. */
  text: [text: string];
};

interface Waiting {
  resolve(result: Result<unknown>): void;
  reject(): void;
}

export class Client extends EventEmitter<ClientEvents> {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #goodbye: Refusal | null = null;
  #isOver = false;

  constructor(socket: WebSocket) {
    super();
    this.setMaxListeners(0);
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#read(data.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  get connected(): boolean {
    return !this.#isOver && this.#socket.readyState === WebSocket.OPEN;
  }

  /** Why the server closes it; null while it does not. */
  get goodbye(): Refusal | null {
    return this.#goodbye;
  }

  /** Sends whatever a client might send. Rejects with `cut off` when the connection ends first; a hello with the reason. */
  request(name: string, ...values: readonly unknown[]): Promise<Result<unknown>> {
    return new Promise((resolve, refuse) => {
      const reject = () => refuse(new Error((name === 'session/hello' && this.#goodbye?.code) || 'cut off'));
      if (!this.connected) return reject();
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      this.#socket.send(writeRequest(this.#lastId, name, ...values));
    });
  }

  /** Closes the connection properly, as a page that closes. */
  disconnect(): void {
    if (this.connected) this.#socket.send(byeWord);
    this.cut();
  }

  /** Breaks the connection without a word. */
  cut(): void {
    this.#socket.close();
    this.#end();
  }

  /** Reads nothing more: the operating system receives until its buffers are full, as with a page that hangs. */
  stopReading(): void {
    this.#socket.pause();
  }

  #read(text: string): void {
    if (this.#isOver) return;
    this.emit('text', text);
    if (text === pingWord) return this.#socket.send(pongWord);
    const [head, value] = readServerFrame(text) ?? [];
    if (head === 'entries') this.emit(head, value);
    else if (head === 'ephemeral') this.emit(head, value);
    else if (head === 'goodbye') {
      this.#goodbye = value;
      this.emit(head, value);
    } else if (head !== undefined) {
      this.#waiting.get(head)?.resolve(value);
      this.#waiting.delete(head);
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit('disconnect');
    for (const { reject } of this.#waiting.values()) reject();
    this.#waiting.clear();
  }
}

/** Connects, without a hello. Rejects when the server refuses the upgrade; a refused session opens and is closed. */
export async function openClient(url: string, { cookie, origin = url, headers = {} }: ClientOptions): Promise<Client> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${socketPath}`, {
    headers: { ...headers, cookie, origin },
    perMessageDeflate: false,
  });
  const client = new Client(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    client.once('disconnect', () => reject(new Error('cut off')));
  });
  return client;
}
