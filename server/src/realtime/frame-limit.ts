/**
 * Limits the WebSocket frames of a connection from its first moment on: messages, pings, pongs, and fragments of
 * messages that are never finished or empty. Requests have a stricter limit of their own, which answers with a refusal;
 * a client beyond this limit is flooding and is disconnected.
 */
import type { Socket as NetSocket } from 'node:net';
import type { WebSocket } from 'ws';
import { TokenBucket } from '../access/limits.ts';

/** Above the limit of requests, which refuses first and ends the connection itself. */
const framesPerSecond = 40;
const burstFrames = 400;
/** Bytes beside the content of messages: 6 to 14 for each frame, and up to 64 KB of frames that are read ahead. */
const overheadPerSecond = 1024;
const burstOverhead = 128 * 1024;
const frameEvents = ['message', 'ping', 'pong'] as const;
const endWithinMs = 1000;

/** `scale` is RATE_LIMIT_SCALE: above 1 it raises these limits, 0 lifts them, and below 1 it changes nothing. */
export function limitFrames(websocket: WebSocket, netSocket: NetSocket, scale: number): void {
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

/**
 * Reads nothing more, ignores what was read ahead, and ends the connection without waiting for the closing handshake.
 */
function showOut(websocket: WebSocket): void {
  for (const event of frameEvents) websocket.removeAllListeners(event);
  // Also one that is being closed: ended at once, it would lose the last answers and the reason.
  websocket.pause();
  // The requests before this frame are refused first, and the last refusal gives the reason.
  setImmediate(() => websocket.close(1008));
  setTimeout(() => websocket.terminate(), endWithinMs).unref();
}
