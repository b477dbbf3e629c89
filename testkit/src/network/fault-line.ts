/**
 * Delays bytes as a bad connection does, and holds them while it is stalled.
 * Bytes keep their order whatever the delay, as TCP promises. Knows nothing of who connects to whom.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The state of a line, shared by all connections over it. */
export interface FaultLine {
  /** Delays every chunk, each way, by `delayMs` and up to `jitterMs` more. */
  setDelay(delayMs: number, jitterMs?: number): void;
  /** Passes nothing on and closes nothing, as a lost radio signal does; what waits goes out on `resume`. */
  stall(): void;
  resume(): void;
  /** How long the next chunk waits, in milliseconds. */
  nextDelayMs(): number;
  /** Settled unless the line is stalled, then on `resume`. */
  whenOpen(): Promise<void>;
}

/** A line without faults; `random` (0 up to but not 1) decides its jitter. */
export function createFaultLine(random: () => number): FaultLine {
  let delayMs = 0;
  let jitterMs = 0;
  let open = Promise.resolve();
  let reopen = () => {};
  return {
    setDelay(delay, jitter = 0) {
      delayMs = delay;
      jitterMs = jitter;
    },
    stall() {
      reopen();
      open = new Promise((resolve) => (reopen = resolve));
    },
    resume: () => reopen(),
    nextDelayMs: () => delayMs + jitterMs * random(),
    whenOpen: () => open,
  };
}

/** The proxy stops reading when it holds back this much in one direction, so that the sender notices the stall. */
const heldLimitBytes = 256 * 1024;

/** Carries all bytes of `from` to `to` over the line; `ended` is called when `from` has closed and all is delivered. */
export function carry(from: Socket, to: Socket, line: FaultLine, ended: () => void): void {
  let delivered = Promise.resolve();
  let lastDueMs = 0;
  let heldBytes = 0;

  const deliver = async (chunk: Buffer, dueMs: number) => {
    // A timer of Node may fire a little early.
    for (let leftMs = dueMs - performance.now(); leftMs > 0; leftMs = dueMs - performance.now()) await pause(leftMs);
    await line.whenOpen();
    if (!to.destroyed && !to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    heldBytes -= chunk.length;
    if (heldBytes < heldLimitBytes) from.resume();
  };

  from.on('data', (chunk: Buffer) => {
    heldBytes += chunk.length;
    if (heldBytes >= heldLimitBytes) from.pause();
    const dueMs = Math.max(lastDueMs, performance.now() + line.nextDelayMs());
    lastDueMs = dueMs;
    delivered = delivered.then(() => deliver(chunk, dueMs)).catch(ended);
  });
  from.on('end', () => {
    delivered = delivered.then(() => void to.end());
  });
  from.on('close', () => void delivered.then(ended));
  from.on('error', () => {
    // `close` follows, and ends the other side.
  });
}
