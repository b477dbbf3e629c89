/**
 * Every WebSocket frame of a connection counts, from its first moment on: messages, pings, pongs, and the pieces of
 * messages that are never finished or hold nothing. Requests have a stricter pace of their own, which says why; whoever
 * gets beyond this one floods.
 */
import type { Socket as NetSocket } from 'node:net';
import { TokenBucket } from './connection-rate-limit.ts';

/** What is needed of the WebSocket below the engine. */
export interface FrameSource {
  readonly readyState: number;
  readonly OPEN: number;
  on(event: 'message' | 'ping' | 'pong', listener: (content: Buffer) => void): unknown;
  removeAllListeners(event: 'message' | 'ping' | 'pong'): unknown;
  pong(content: Buffer): void;
  pause(): void;
  close(code: number): void;
  terminate(): void;
}

/** Above what the pace of requests lets pass and refuses before it ends the connection itself. */
const framesPerSecond = 40;
const burstFrames = 400;
/** Bytes that are no message's content: a frame alone has 6 to 14; up to 64 KB of frames to come are read ahead. */
const overheadPerSecond = 1024;
const burstOverhead = 128 * 1024;
const frameEvents = ['message', 'ping', 'pong'] as const;
const endWithinMs = 1000;

/** `limitFrames` answers pings: the library would also answer the thousands that were read ahead when a flood was noticed. */
export function answerPingsOurselves(engine: object): void {
  (engine as { ws: { options: { autoPong: boolean } } }).ws.options.autoPong = false;
}

/** `scale` is RATE_LIMIT_SCALE: it widens these limits and 0 lifts them, but nothing makes them narrower. */
export function limitFrames(websocket: FrameSource, netSocket: NetSocket, scale: number): void {
  websocket.on('ping', (content) => {
    if (websocket.readyState === websocket.OPEN) websocket.pong(content);
  });
  if (scale === 0) return;
  const factor = Math.max(1, scale);
  const frames = new TokenBucket(framesPerSecond * factor, burstFrames * factor);
  const overhead = new TokenBucket(overheadPerSecond * factor, burstOverhead * factor);
  let readBytes = netSocket.bytesRead;
  let hasFlooded = false;

  function count(content: Buffer): void {
    if (hasFlooded) return;
    const newBytes = netSocket.bytesRead - readBytes;
    readBytes += newBytes;
    if (frames.take() && overhead.take(newBytes - content.length)) return;
    hasFlooded = true;
    showOut(websocket);
  }
  for (const event of frameEvents) websocket.on(event, count);
}

/** Reads nothing more and looks at nothing that was read ahead; ends also what waits for the peer's goodbye. */
function showOut(websocket: FrameSource): void {
  for (const event of frameEvents) websocket.removeAllListeners(event);
  if (websocket.readyState !== websocket.OPEN) return websocket.terminate();
  websocket.pause();
  // The requests before this one are refused first, and the last refusal says why.
  setImmediate(() => websocket.close(1008));
  setTimeout(() => websocket.terminate(), endWithinMs).unref();
}
