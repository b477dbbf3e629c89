/**
 * How many WebSocket frames a client may send, from the first moment of its connection on: messages, their pieces, pings
 * and pongs. They are counted by their headers, before the library reads them: of a flood it would make thousands of
 * objects in one turn of the event loop. Requests have a stricter limit of their own, which answers with a refusal; a
 * client beyond this limit is flooding and is disconnected.
 */
import type { Socket as NetSocket } from 'node:net';
import type { WebSocket } from 'ws';
import { TokenBucket } from '../access/limits.ts';

/** Above the limit of requests, which refuses first and ends the connection itself. */
const framesPerSecond = 40;
const burstFrames = 400;
const endWithinMs = 1000;

type Reader = (this: NetSocket, bytes: Buffer) => void;

/** `scale` is RATE_LIMIT_SCALE: above 1 it raises the limit, 0 lifts it, and below 1 it changes nothing. */
export function limitFrames(websocket: WebSocket, net: NetSocket, scale: number): void {
  websocket.on('ping', (content) => {
    if (websocket.readyState === websocket.OPEN) websocket.pong(content);
  });
  if (scale === 0) return;
  const factor = Math.max(1, scale);
  const bucket = new TokenBucket(framesPerSecond * factor, burstFrames * factor);
  const allowedOf = frameGate(() => bucket.take());
  let hasFlooded = false;

  const [read] = net.listeners('data') as [Reader];
  const readAllowed: Reader = (bytes) => {
    if (hasFlooded) return;
    const allowed = allowedOf(bytes);
    hasFlooded = allowed < bytes.length;
    // The requests before the flood are answered; the last refusal gives the reason.
    read.call(net, hasFlooded ? bytes.subarray(0, allowed) : bytes);
    if (hasFlooded) showOut(websocket);
  };
  // The library takes its reader off the socket by this name, when it has read enough.
  Object.assign(readAllowed, { listener: read });
  net.removeListener('data', read);
  net.on('data', readAllowed);
}

const longLength = 126;
const longestLength = 127;
const maskBytes = 4;

/**
 * Walks over the frames in what a client sends, wherever it was cut on its way. `mayBegin` is asked for each frame; the
 * answer is how many bytes stand before the first one that may not.
 */
export function frameGate(mayBegin: () => boolean): (bytes: Buffer) => number {
  /** The first bytes of a frame: two, or with a long length four or ten. */
  const head = Buffer.alloc(10);
  let headBytes = 0;
  let contentLeft = 0;

  const lengthOf = (): number => (head[1] ?? 0) & 0x7f;
  function headSize(): number {
    if (headBytes < 2 || lengthOf() < longLength) return 2;
    return lengthOf() === longLength ? 4 : 10;
  }
  function contentSize(): number {
    const length = lengthOf();
    if (length === longestLength) return Number(head.readBigUInt64BE(2));
    return length === longLength ? head.readUInt16BE(2) : length;
  }

  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      const skipped = Math.min(contentLeft, bytes.length - at);
      at += skipped;
      contentLeft -= skipped;
      if (at === bytes.length) break;
      if (headBytes === 0 && !mayBegin()) return at;
      head[headBytes] = bytes[at] ?? 0;
      headBytes += 1;
      at += 1;
      if (headBytes < headSize()) continue;
      contentLeft = maskBytes + contentSize();
      headBytes = 0;
    }
    return bytes.length;
  };
}

/** Reads nothing more, and ends the connection without waiting for the closing handshake. */
function showOut(websocket: WebSocket): void {
  // Also one that is being closed: ended at once, it would lose the last answers and the reason.
  websocket.pause();
  setImmediate(() => websocket.close(1008));
  setTimeout(() => websocket.terminate(), endWithinMs).unref();
}
