/**
 * Brings a database of version 0.1.0 to what one of version 0.2.0 has, in one transaction; the server opens no older one.
 * Columns are added, renamed and filled here; tables and indexes that are missing then are those of a new database.
 */
import { sql, type Transaction } from 'kysely';
import { type Config, sqlitePathOf } from '../config.ts';
import { appliedMigrations, assertUsable, migrationsTable, openDatabase } from '../storage/database.ts';
import { namesOf020 } from '../storage/migrations/migrations.ts';
import type { Schema } from '../storage/schema.ts';
import { madeIn020 } from '../storage/migrations/version-0.2.0.ts';
import { exists } from './backup.ts';
import { holdSqlite, postgresState } from './database-copy.ts';
import { OperatorFailure } from './operator-failure.ts';

/** What version 0.1.0 has noted. */
const namesOf010 = namesOf020.filter((name) => name < '0010');
const dayMs = 24 * 60 * 60 * 1000;

const added: Readonly<Record<string, string>> = {
  ...addedToRooms('room'),
  ...addedToRooms('audioroom'),
  notifications: "room_id text, about text default '' not null",
  users: 'disabled_at_ms bigint',
  idempotency: 'until_ms bigint default 0 not null',
  sign_up_tickets: 'address_hash text',
};

/** Of one kind of room. */
function addedToRooms(part: string): Record<string, string> {
  return {
    [`${part}_chat`]: 'is_deleted bigint default 0 not null',
    [`${part}_requests`]: 'renewed_at_ms bigint default 0 not null',
    [`${part}s`]: `admits text default 'nobody' not null, offered_to text, offered_until_ms bigint,
      leaves_when_taken integer default 0 not null, is_locked integer default 0 not null,
      everyone_adds integer default 0 not null, majority_skips integer default 0 not null,
      is_host_warned integer default 0 not null`,
  };
}

/**
 * An index that goes has other columns since. The message itself answers a repeated request: stored answers would outlive
 * the text of a message that the host deletes.
 */
const changes = `
update room_requests set renewed_at_ms = asked_at_ms;
update audioroom_requests set renewed_at_ms = asked_at_ms;
update idempotency set until_ms = at_ms + ${String(dayMs)};
delete from idempotency where room_id is not null and answer like '{"message":%';
alter table connections rename column lingers_until_ms to grace_until_ms;
drop index notifications_live;
drop index idempotency_age;
drop index connections_room`.split(';');

/** Throws OperatorFailure, having changed nothing, where it is no database of version 0.1.0 or a server uses it. */
export async function convert({ databaseUrl }: Pick<Config, 'databaseUrl'>, now: Date): Promise<void> {
  const path = sqlitePathOf(databaseUrl);
  if (path !== null && !(await exists(path))) throw new OperatorFailure(`There is no database at ${path}.`);
  await assertUnused(path, databaseUrl);
  const database = openDatabase(databaseUrl);
  try {
    await assertUsable(database);
    const applied = await appliedMigrations(database.db).catch((): string[] => []);
    if (namesOf020.every((name) => applied.includes(name))) {
      throw new OperatorFailure('The database is of version 0.2.0 or newer: the server opens it as it is.');
    }
    if (applied.join() !== namesOf010.join()) {
      throw new OperatorFailure('The database is not of version 0.1.0. It was not changed.');
    }
    const isSqlite = database.dialect === 'sqlite';
    await database.patiently(() => database.db.transaction().execute((db) => bring(db, isSqlite, now)));
  } finally {
    await database.close();
  }
}

async function assertUnused(path: string | null, databaseUrl: string): Promise<void> {
  const hold = path === null ? null : holdSqlite(path);
  hold?.release();
  if (path === null ? (await postgresState(databaseUrl)).isInUse : hold === null) {
    throw new OperatorFailure('A server or another program uses this database. Stop it, then convert.');
  }
}

async function bring(db: Transaction<Schema>, isSqlite: boolean, now: Date): Promise<void> {
  const columns = Object.entries(added).flatMap(([table, all]) =>
    all.split(',').map((column) => `alter table ${table} add column ${column}`),
  );
  const missing = madeIn020(isSqlite).map((each) => each.replace(/(table|index|trigger) /u, '$1 if not exists '));
  for (const statement of [...columns, ...changes, ...missing]) await sql.raw(statement).execute(db);
  for (const name of namesOf020.filter((each) => !namesOf010.includes(each))) {
    await sql`insert into ${sql.table(migrationsTable)} values (${name}, ${now.toISOString()})`.execute(db);
  }
}
