/** The time of a database that several processes share, measured at the start and kept up to date from then on. */
import type { Kysely } from 'kysely';
import type { Background } from './background.ts';
import type { Clock, Log } from '../system/ports.ts';
import { databaseNowMs, startDatabaseClock } from '../storage/database-clock.ts';
import type { Schema } from '../storage/schema.ts';

const measureEveryMs = 60_000;
/** How often it is seen whether this machine's own clock has jumped. */
const watchEveryMs = 2000;

export async function timeOf(
  db: Kysely<Schema>,
  { machine, log, background }: { machine: Clock; log: Log; background: Background },
): Promise<Clock> {
  const monotonicMs = () => performance.now();
  const clock = await startDatabaseClock({ askDatabase: () => databaseNowMs(db), machine, monotonicMs, log });
  background.every(measureEveryMs, 'clock.measure', clock.measure);
  background.every(watchEveryMs, 'clock.watch', clock.watch);
  return clock;
}
