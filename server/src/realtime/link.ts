/**
 * One WebSocket as a connection uses it: requests in, frames out, what is unsent, and one end with its reason. A frame for
 * many links is built once. It knows no request.
 */
import { randomUUID } from 'node:crypto';
import type { Socket as NetSocket } from 'node:net';
import { byeWord, pingWord, pongWord, readRequest, type RequestFrame } from '@tunemate/protocol';
import type { WebSocket } from 'ws';

/** Whose session it is, and from which network. */
export interface LinkOwner {
  readonly session: { readonly uid: string; readonly sessionId: string };
  readonly address: string;
}

/** The page left, the connection broke, a ping was not answered, or the server closed it. */
export type LinkEnd = 'left' | 'lost' | 'silent' | 'closed';

export interface LinkListener {
  onRequest(request: RequestFrame): void;
  /** Called once, at once when the server closes; nothing follows it. */
  onEnd(end: LinkEnd): void;
}

/** A text frame of a server, header included: written to any number of sockets as it is. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = 0x81;
  frame[1] = start === 2 ? length : start === 4 ? 126 : 127;
  if (start === 4) frame.writeUInt16BE(length, 2);
  if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, start);
  return frame;
}

const pingFrame = textFrame(pingWord);
/** A client that sent something else than requests and words, as WebSocket numbers it. */
const protocolError = 1002;

export class Link {
  readonly id = randomUUID();
  readonly owner: LinkOwner;
  /** Process time of the last message. */
  heardAtMs = performance.now();
  readonly #websocket: WebSocket;
  readonly #net: NetSocket;
  #listener: LinkListener | null = null;
  #hasEnded = false;
  #unsentFrames = 0;
  /** Since when nothing unsent was taken (process time, ms); null until the server looks. */
  #stuckSinceMs: number | null = null;

  /** `net` carries `websocket`, which compresses nothing. */
  constructor(websocket: WebSocket, net: NetSocket, owner: LinkOwner) {
    this.#websocket = websocket;
    this.#net = net;
    this.owner = owner;
    websocket.on('message', (data, isBinary) => this.#read(data as Buffer, isBinary));
    websocket.on('close', () => this.#end('lost'));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  get isOpen(): boolean {
    return !this.#hasEnded && this.#websocket.readyState === this.#websocket.OPEN;
  }

  /** What the operating system has not taken, because the client reads too slowly. */
  get unsent(): { bytes: number; frames: number } {
    return { bytes: this.#net.writableLength, frames: this.#unsentFrames };
  }

  /** For how many milliseconds, as far as the server looked, the client has taken nothing; null when all is sent. */
  get stuckMs(): number | null {
    if (this.#net.writableLength === 0) return null;
    this.#stuckSinceMs ??= performance.now();
    return performance.now() - this.#stuckSinceMs;
  }

  /** Sends a frame of `textFrame`, unless the connection is over. */
  send(frame: Buffer): void {
    if (!this.isOpen) return;
    // Past the library, which would build the frame anew for each socket. It queues nothing itself.
    if (this.#net.writableLength === 0) {
      this.#stuckSinceMs = null;
      this.#net.write(frame);
      return;
    }
    this.#unsentFrames += 1;
    this.#net.write(frame, () => {
      this.#unsentFrames -= 1;
      this.#stuckSinceMs = null;
    });
  }

  ping(): void {
    this.send(pingFrame);
  }

  /** Closes in good order: the client receives what was sent before. */
  close(): void {
    if (this.#hasEnded) return;
    this.#websocket.close(1000);
    this.#end('closed');
  }

  /** Ends it without waiting for the client. */
  terminate(end: LinkEnd = 'lost'): void {
    this.#websocket.terminate();
    this.#end(end);
  }

  /** Resolves when the operating system has taken everything, or the connection is gone. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#net.writableLength === 0 || !this.#net.writable) return resolve();
      this.#net.write('', () => resolve());
    });
  }

  #read(data: Buffer, isBinary: boolean): void {
    if (this.#hasEnded) return;
    this.heardAtMs = performance.now();
    const text = isBinary ? '' : data.toString();
    if (text === pongWord) return;
    const request = readRequest(text);
    if (request) return this.#listener?.onRequest(request);
    this.#websocket.close(text === byeWord ? 1000 : protocolError);
    this.#end(text === byeWord ? 'left' : 'lost');
  }

  #end(end: LinkEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#listener?.onEnd(end);
  }
}
