/** What a page does that may lead into a room: it learns the server's clock, so that the room need not wait for that. */
import { deviceClock } from '../../connection/ports.ts';
import type { Connection } from '../../connection/port.ts';
import { startClockSync } from '../../playback/clock-sync.ts';

/** Returns the function that ends it; the room goes on with what was learned. */
export function learnClock(connection: Connection): () => void {
  const { stop } = startClockSync({ connection, nowMs: () => performance.now(), schedule: deviceClock.schedule });
  return stop;
}
