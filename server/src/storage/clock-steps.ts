/**
 * What a clock that was wrong may change. When something happened is never rewritten. What waits for a time goes on
 * waiting as long as it was to: a mail for its next attempt, a room for the end of its host's absence, a session for its
 * last day, people who left. A start with a clock far behind is refused, and far ahead nothing is deleted by its age at first.
 */
import { sql } from 'kysely';
import { type Clock, Failure, type Log, type SettableClock } from '../system/ports.ts';
import type { StreamRecord } from './record.ts';
import type { Db, Schema } from './schema.ts';

/** A smaller correction is soon over. */
const toleratedMs = 60_000;
const dayMs = 24 * 60 * 60 * 1000;
/** A start with a clock so far behind what is stored is refused. */
const mostBehindMs = dayMs;
/** An installation that was not used for so long, or whose clock is wrong. */
const longAheadMs = 30 * dayMs;
/** For so long nothing is deleted then. */
const heldMs = dayMs;

type Columns = { [Table in keyof Schema]?: readonly (keyof Schema[Table] & string)[] };
const roomColumns = ['host_away_since_ms', 'empty_since_ms', 'offered_until_ms'] as const;

/** What waits for a time, or is as old as something that is still under way. Everything else says when something happened. */
const waiting: Columns = {
  mails: ['next_attempt_at_ms'],
  rooms: roomColumns,
  audiorooms: roomColumns,
  room_requests: ['renewed_at_ms'],
  audioroom_requests: ['renewed_at_ms'],
  sessions: ['last_seen_at_ms'],
  connections: ['opened_at_ms', 'grace_until_ms'],
  processes: ['seen_at_ms'],
  streams: ['at_ms'],
  stream_entries: ['at_ms'],
  idempotency: ['at_ms', 'until_ms'],
  users: ['presence_changed_at_ms', 'shown_changed_at_ms'],
  catalogue_cache: ['at_ms'],
  listens_accounts: ['next_attempt_at_ms'],
  listens_heard: ['seen_at_ms'],
  music_pairs: ['counted_until_ms'],
};
const columns = Object.entries(waiting).flatMap(([table, names]) => names.map((column) => ({ table, column })));

/** When this installation was used last, as far as it is stored; 0 for never. */
export async function lastUsedMs(db: Db): Promise<number> {
  // Every process that lives reports, and whatever people do is a change of a stream.
  const { rows } = await sql<{ at: number | string | null }>`
    select max(at_ms) as at from streams union all select max(seen_at_ms) from processes`.execute(db);
  return Math.max(0, ...rows.map(({ at }) => Number(at)));
}

/** Throws Failure where the clock is more than a day behind what is stored: what is written then would be out of order. */
export async function assertClock(db: Db, nowMs: number): Promise<void> {
  const usedMs = await lastUsedMs(db);
  if (usedMs - nowMs <= mostBehindMs) return;
  throw new Failure('server/unavailable', 'clock.behind', new Error(`${asDay(nowMs)}|${asDay(usedMs)}`));
}

/** `2026-03-01 17:05`, in UTC. */
const asDay = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** How many rows of each table wait for a time that lies ahead of `nowMs`. */
export async function waitingAhead(db: Db, nowMs: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const { table, column } of columns) {
    const { rows } = await sql<{ rows: number | string }>`select count(*) as rows from ${sql.table(table)}
      where ${sql.ref(column)} > ${nowMs + toleratedMs}`.execute(db);
    const count = Number(rows[0]?.rows);
    if (count > 0) found.set(table, Math.max(count, found.get(table) ?? 0));
  }
  return found;
}

/** The clock was ahead: what waits for a time to come waits for now. */
export async function bringBack(record: StreamRecord, nowMs: number): Promise<void> {
  await change(record, async (db) => {
    for (const { table, column } of columns) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${nowMs}
        where ${sql.ref(column)} > ${nowMs + toleratedMs}`.execute(db);
    }
  });
}

/** Of these it makes no difference how old they are; and what was heard before a step ahead is counted as of then. */
const ageless: readonly string[] = ['users', 'catalogue_cache', 'music_pairs'];

/** The clock was set ahead by so much, and no time has passed. */
async function takeAlong(record: StreamRecord, byMs: number): Promise<void> {
  await change(record, async (db) => {
    for (const { table, column } of columns.filter((each) => !ageless.includes(each.table))) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + ${byMs}
        where ${sql.ref(column)} > 0`.execute(db);
    }
  });
}

async function change(record: StreamRecord, work: (db: Db) => Promise<void>): Promise<void> {
  await record.write([], async ({ db }) => {
    await work(db);
    record.forgetHeads();
  });
}

/** How old things are for what deletes them by their age. */
export interface Ages {
  /** As if the time that is in doubt had not passed. */
  now(): number;
  /** Nothing is deleted by them. */
  areHeld(): boolean;
  /** Runs what deletes by age, but not while they are held. */
  unlessHeld(run: () => Promise<unknown>): () => Promise<void>;
  /** Runs what ends a wait: a step takes that along, so that only what waited over a long pause is in doubt. */
  unlessUnused(run: () => Promise<unknown>): () => Promise<void>;
  /** The clock was set ahead by so much: for a day nothing is as old as it says. */
  hold(byMs: number): void;
}

/** Holds them at once where this installation was not used for 30 days. `awakeMs` goes on evenly. */
export async function agesOf(
  db: Db,
  clock: Pick<Clock, 'now'>,
  log: Log,
  awakeMs = () => performance.now(),
): Promise<Ages> {
  let [doubtfulMs, untilMs, unusedUntilMs] = [0, -Infinity, -Infinity];
  const areHeld = () => awakeMs() < untilMs;
  const ages: Ages = {
    now: () => clock.now() - (areHeld() ? doubtfulMs : 0),
    areHeld,
    unlessHeld: (run) => async () => void (areHeld() || (await run())),
    unlessUnused: (run) => async () => void (awakeMs() < unusedUntilMs || (await run())),
    hold(byMs) {
      doubtfulMs = byMs + (areHeld() ? doubtfulMs : 0);
      untilMs = awakeMs() + heldMs;
      log.warn({ byMs, forMs: heldMs, advice: 'is this machine’s clock right?' }, 'clock.far-ahead');
    },
  };
  const usedMs = await lastUsedMs(db);
  if (usedMs > 0 && clock.now() - usedMs > longAheadMs) {
    ages.hold(clock.now() - usedMs);
    unusedUntilMs = untilMs;
  }
  return ages;
}

interface StepsDeps {
  record: StreamRecord;
  clock: Clock & Partial<SettableClock>;
  ages: Ages;
  log: Log;
  /** What plays goes on where it was. `all` where the step is known, otherwise what would start only in the future. */
  moveStarts: (byMs: number, which: 'all' | 'late') => Promise<void>;
}

/**
 * Each look answers whether the clock was set since the one before. The first also finds what was stored while it was
 * ahead. Pages have to measure it anew then.
 */
export function clockSteps({ record, clock, ages, log, moveStarts }: StepsDeps): () => Promise<boolean> {
  let latestMs: number | null = null;

  async function takeStep(byMs: number): Promise<void> {
    if (byMs > 0) {
      await takeAlong(record, byMs);
      await moveStarts(byMs, 'all');
      if (byMs > toleratedMs) ages.hold(byMs);
      clock.take?.();
    } else {
      clock.take?.();
      await bringBack(record, clock.now());
      await moveStarts(byMs, 'all');
    }
    log.warn({ byMs }, byMs > 0 ? 'clock.set-ahead' : 'clock.set-back');
  }

  return async () => {
    const stepMs = clock.aheadMs?.() ?? 0;
    if (stepMs !== 0) await takeStep(stepMs);
    const nowMs = clock.now();
    const byMs = (stepMs === 0 ? (latestMs ?? (await lastUsedMs(record.db))) : 0) - nowMs;
    if (byMs > toleratedMs) {
      await bringBack(record, nowMs);
      await moveStarts(-byMs, 'late');
      log.warn({ byMs: -byMs }, 'clock.set-back');
    }
    // Not before all was brought back: what failed is tried again.
    latestMs = nowMs;
    return stepMs !== 0 || byMs > toleratedMs;
  };
}
