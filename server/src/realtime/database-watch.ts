/**
 * Sends people away from a process that has lost its database: they would hear of no change, and would not know it.
 * Where another process is left, the balancer leads them there. Knows neither databases nor connections.
 */
import type { Log } from '../system/ports.ts';

/** A database that restarts, or answers late once, is waited for. */
const missesToLeave = 3;

export interface DatabaseWatchDeps {
  /** Whether the database answers. */
  isReachable: () => Promise<boolean>;
  /** Ends all connections. */
  leave: () => void;
  log: Log;
}

/** To be run every other second. */
export function databaseWatch({ isReachable, leave, log }: DatabaseWatchDeps): () => Promise<void> {
  let misses = 0;
  return async () => {
    misses = (await isReachable()) ? 0 : misses + 1;
    if (misses < missesToLeave) return;
    if (misses === missesToLeave) log.warn({}, 'database.away');
    leave();
  };
}
