/**
 * A connection as the wire has it: Engine.IO and Socket.IO frames over a WebSocket, written and read as text, so that a
 * thousand of them cost the loader little. Counts what arrives.
 */
import { once } from 'node:events';
import WebSocket from 'ws';

/** What arrived at all lines made here. */
export const arrived = { frames: 0, bytes: 0 };

const ackFrame = /^43(\d+)\[/;

export class Line {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: string) => void>();
  readonly #onEvent: (frame: string) => void;
  #next = 0;

  private constructor(socket: WebSocket, onEvent: (frame: string) => void) {
    this.#socket = socket;
    this.#onEvent = onEvent;
    socket.on('message', (data: Buffer) => this.#read(data));
    socket.on('close', () => {
      for (const answer of this.#waiting.values()) answer('');
    });
  }

  /** Opens and joins the namespace; rejects when the server does not accept. */
  static async open(
    url: string,
    headers: Record<string, string>,
    onEvent: (frame: string) => void = () => undefined,
  ): Promise<Line> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      headers,
      perMessageDeflate: false,
    });
    await once(socket, 'open');
    socket.on('error', () => undefined);
    const line = new Line(socket, onEvent);
    const joined = new Promise<string>((resolve) => line.#waiting.set(-1, resolve));
    socket.send('40');
    if ((await joined) === '') throw new Error('closed');
    return line;
  }

  /** The answer as text, `[{"ok":true,…}]`; empty when the connection ended first. */
  ask(name: string, ...values: unknown[]): Promise<string> {
    const id = (this.#next += 1);
    return new Promise((resolve) => {
      if (!this.isOpen()) return resolve('');
      this.#waiting.set(id, resolve);
      this.#socket.send(`42${String(id)}${JSON.stringify([name, ...values])}`);
    });
  }

  isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.#socket.terminate();
  }

  #read(data: Buffer): void {
    arrived.frames += 1;
    arrived.bytes += data.length;
    const frame = data.toString();
    if (frame === '2') return this.#socket.send('3');
    if (frame.startsWith('42')) return this.#onEvent(frame);
    const ack = ackFrame.exec(frame);
    const id = ack ? Number(ack[1]) : frame.startsWith('40') ? -1 : null;
    if (id === null) return;
    this.#waiting.get(id)?.(ack ? frame.slice(2 + (ack[1] ?? '').length) : frame);
    this.#waiting.delete(id);
  }
}
