/**
 * A connection to the ws baseline: `[id, name, value]` and the answer `[id]` or `[id, value]`. What arrives is counted
 * with the others.
 */
import { once } from 'node:events';
import WebSocket from 'ws';
import { arrived } from './load-line.ts';

export class RawLine {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: string) => void>();
  #next = 0;

  private constructor(socket: WebSocket, onEvent: (frame: string) => void) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      arrived.frames += 1;
      arrived.bytes += data.length;
      const frame = data.toString();
      const answered = /^\[(\d+)(?:,|\]$)/.exec(frame);
      if (!answered) return onEvent(frame);
      this.#waiting.get(Number(answered[1]))?.(frame);
      this.#waiting.delete(Number(answered[1]));
    });
    socket.on('close', () => {
      for (const answer of this.#waiting.values()) answer('');
    });
  }

  static async open(
    url: string,
    _headers: Record<string, string>,
    onEvent: (frame: string) => void = () => undefined,
  ): Promise<RawLine> {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false });
    await once(socket, 'open');
    socket.on('error', () => undefined);
    return new RawLine(socket, onEvent);
  }

  ask(name: string, ...values: unknown[]): Promise<string> {
    const id = (this.#next += 1);
    return new Promise((resolve) => {
      if (this.#socket.readyState !== WebSocket.OPEN) return resolve('');
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify([id, name, ...values]));
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
