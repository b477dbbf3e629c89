/**
 * A connection as the wire has it: frames written and read as text, so that a thousand of them cost the loader little.
 * Counts what arrives.
 */
import { once } from 'node:events';
import { pingWord, pongWord, socketPath, writeRequest } from '@tunemate/protocol';
import WebSocket from 'ws';

/** What arrived at all lines made here. */
export const arrived = { frames: 0, bytes: 0 };

const answerFrame = /^\[(\d+),/;

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

  /** Rejects when the server does not accept. */
  static async open(
    url: string,
    headers: Record<string, string>,
    onEvent: (frame: string) => void = () => undefined,
  ): Promise<Line> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${socketPath}`, {
      headers,
      perMessageDeflate: false,
    });
    await once(socket, 'open');
    socket.on('error', () => undefined);
    return new Line(socket, onEvent);
  }

  /** The answer as text, `{"ok":true,…}`; empty when the connection ended first. */
  ask(name: string, ...values: unknown[]): Promise<string> {
    const id = (this.#next += 1);
    return new Promise((resolve) => {
      if (!this.isOpen()) return resolve('');
      this.#waiting.set(id, resolve);
      this.#socket.send(writeRequest(id, name, ...values));
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
    if (frame === pingWord) return this.#socket.send(pongWord);
    const [head, id] = answerFrame.exec(frame) ?? [];
    if (head === undefined) return this.#onEvent(frame);
    this.#waiting.get(Number(id))?.(frame.slice(head.length, -1));
    this.#waiting.delete(Number(id));
  }
}
