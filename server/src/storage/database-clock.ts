/**
 * The time of the database, for processes that share one: each measures how far its own clock is from it and answers
 * probes and stamps timelines in the database's time, so that listeners on several machines agree however wrong one
 * machine's clock is. Measured as tabs measure theirs: the least delay decides, small corrections are slewed.
 */
import { ClockOffset } from '@tunemate/playback';
import { sql } from 'kysely';
import type { Background } from '../system/background.ts';
import type { Clock, Log, SettableClock } from '../system/ports.ts';
import type { Db } from './schema.ts';

export interface DatabaseClock extends Clock {
  /** Measures the offset again; every minute. */
  measure(): Promise<void>;
  /**
   * Measures again if this machine's clock has jumped, as after a suspension, or while what is known is too uncertain, as
   * after a start on a busy machine; every few seconds.
   */
  watch(): Promise<void>;
}

export interface DatabaseClockDeps {
  /** The database's time in milliseconds since the epoch. */
  askDatabase: () => Promise<number>;
  /** This machine's own clock: never served, only watched. Where it was set the database may have been too. */
  machine: Clock & Partial<SettableClock>;
  /** Milliseconds that pass evenly while the machine runs. */
  monotonicMs: () => number;
  log: Log;
}

const measureEveryMs = 60_000;
const watchEveryMs = 2000;
const probes = 8;
const jumpMs = 250;
/** Listeners of two processes may be twice as far apart. */
const sureWithinMs = 25;
/** From this offset on a warning is logged: certificates and logs depend on the machine's clock too. */
const worthAWarningMs = 1000;

/** PostgreSQL's own clock at the time of the query, in milliseconds since the epoch. */
export async function databaseNowMs(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(
    db,
  );
  return Number(rows[0]?.at);
}

/** The database's time, measured at the start and kept up to date in the background. Throws as `startDatabaseClock`. */
export async function sharedClock(
  db: Db,
  {
    machine,
    log,
    background,
  }: { machine: DatabaseClockDeps['machine']; log: Log; background: Pick<Background, 'every'> },
): Promise<Clock> {
  const monotonicMs = () => performance.now();
  const clock = await startDatabaseClock({ askDatabase: () => databaseNowMs(db), machine, monotonicMs, log });
  background.every(measureEveryMs, 'clock.measure', clock.measure);
  background.every(watchEveryMs, 'clock.watch', clock.watch);
  return clock;
}

/** Throws when the database can't be reached. */
export async function startDatabaseClock(deps: DatabaseClockDeps): Promise<DatabaseClock> {
  const { askDatabase, machine, monotonicMs, log } = deps;
  const offset = new ClockOffset();
  const machineAheadMs = (): number => {
    machine.take?.();
    return machine.preciseNow() - monotonicMs();
  };
  let seenAheadMs = machineAheadMs();

  async function measure(): Promise<void> {
    seenAheadMs = machineAheadMs();
    for (let probe = 0; probe < probes; probe += 1) {
      const sentAtMs = monotonicMs();
      const serverReceivedMs = await askDatabase();
      offset.addSample({ sentAtMs, receivedAtMs: monotonicMs(), serverReceivedMs });
    }
    const offMs = Math.round(machine.preciseNow() - preciseNow());
    const uncertaintyMs = Math.round(offset.uncertaintyMs(monotonicMs()) * 10) / 10;
    if (Math.abs(offMs) > worthAWarningMs) log.warn({ offMs, uncertaintyMs }, 'clock.machine-is-off');
    else log.debug({ offMs, uncertaintyMs }, 'clock.measured');
  }

  async function watch(): Promise<void> {
    const hasJumped = Math.abs(machineAheadMs() - seenAheadMs) > jumpMs;
    if (hasJumped) offset.doubtPast(monotonicMs());
    if (hasJumped || offset.uncertaintyMs(monotonicMs()) > sureWithinMs) await measure();
  }

  const preciseNow = (): number => offset.serverNow(monotonicMs());

  await measure();
  return { preciseNow, now: () => Math.floor(preciseNow()), measure, watch };
}
