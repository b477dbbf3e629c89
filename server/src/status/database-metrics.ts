/**
 * Metrics of the whole installation from the database: live rooms and their members, waiting mails and reports, the last
 * backup. Read on each scrape; every process of an installation reports the same.
 */
import { type RoomKind, roomKinds } from '@tunemate/protocol';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { countOf } from '../storage/queries.ts';
import type { Database } from '../storage/database.ts';
import { type Db, roomTables } from '../storage/schema.ts';
import { lastBackupAtMs } from '../storage/settings.ts';
import { within } from '../system/within.ts';

/** Scrapers wait for ten seconds as a rule. */
const answerWithinMs = 2000;

/** NaN while the database is unavailable or does not answer, so that the other metrics can still be read. */
function gauge(registers: Registry[], name: string, help: string, read: () => Promise<number>): void {
  void new Gauge({
    name,
    help,
    registers,
    async collect() {
      const value = read().catch(() => Number.NaN);
      this.set(await within(answerWithinMs, value, Number.NaN));
    },
  });
}

export function databaseMetrics(
  registry: Registry,
  { db, writing }: Pick<Database, 'db'> & { writing: Pick<Database['writing'], 'now'> },
): void {
  const registers = [registry];
  void new Gauge({
    name: 'tunemate_storage_trouble',
    help: 'Whether changes can not be stored (full, failing, read-only) or wait long (slow), and the code or time of that.',
    labelNames: ['trouble', 'code'],
    registers,
    collect() {
      this.reset();
      const now = writing.now();
      if (now) this.set(now, 1);
    },
  });
  const add = (name: string, help: string, read: () => Promise<number>) => gauge(registers, name, help, read);
  add('tunemate_rooms', 'Live rooms of the installation.', () => sumOverKinds(liveRooms, db));
  add('tunemate_room_members', 'People in live rooms, hosts included.', () => sumOverKinds(members, db));
  add('tunemate_people_online', 'People who are shown as online.', () =>
    countOf(db.selectFrom('users').where('online', '=', sql.lit(1))),
  );
  add('tunemate_mails_waiting', 'Mails that were not sent yet.', () =>
    countOf(db.selectFrom('mails').where('sent_at_ms', 'is', null)),
  );
  add('tunemate_reports_waiting', 'Reports that the operator has not answered.', () =>
    countOf(db.selectFrom('reports').where('answered_at_ms', 'is', null)),
  );
  // No backup yet is reported as timestamp 0, so that the age alert fires.
  add('tunemate_last_backup_timestamp_seconds', 'When the last backup was made; 0 for never.', async () => {
    return ((await lastBackupAtMs(db)) ?? 0) / 1000;
  });
}

async function sumOverKinds(count: (db: Db, kind: RoomKind) => Promise<number>, db: Db): Promise<number> {
  let sum = 0;
  for (const kind of roomKinds) sum += await count(db, kind);
  return sum;
}

const liveRooms = (db: Db, kind: RoomKind): Promise<number> =>
  countOf(db.selectFrom(roomTables[kind].rooms).where('is_active', '=', 1));

function members(db: Db, kind: RoomKind): Promise<number> {
  const { rooms, participants } = roomTables[kind];
  const live = db.selectFrom(rooms).select('room_id').where('is_active', '=', 1);
  return countOf(db.selectFrom(participants).where('room_id', 'in', live));
}
