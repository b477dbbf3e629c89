/**
 * Opens the database that the settings name: SQLite in DATA_DIR, or PostgreSQL. What differs between the two stands here.
 */
import SqliteDatabase from 'better-sqlite3';
import { Kysely, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { Failure } from '../ports.ts';
import * as start from './migrations/0001-start.ts';
import * as tabOfConnection from './migrations/0002-tab-of-connection.ts';
import * as roundTripOfConnection from './migrations/0008-round-trip-of-connection.ts';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';
export interface Database {
  db: Kysely<Schema>;
  dialect: Dialect;
  close(): Promise<void>;
}

const migrations = {
  '0001-start': start,
  '0002-tab-of-connection': tabOfConnection,
  '0008-round-trip-of-connection': roundTripOfConnection,
};

/** `url` is `sqlite:` and a path, or `postgres://…`. Throws when it can't be opened or fails its integrity check. */
export function openDatabase(url: string): Database {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
}

function openSqlite(path: string): Database {
  const file = new SqliteDatabase(path);
  file.pragma('journal_mode = WAL');
  // Every commit is on the disk before it is acknowledged.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  file.pragma('busy_timeout = 5000');
  const check = file.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') throw new Failure('server/unavailable', `database file ${path} is damaged: ${String(check)}`);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: file }) });
  return { db, dialect: 'sqlite', close: () => db.destroy() };
}

function openPostgres(url: string): Database {
  const types: pg.CustomTypesConfig = {
    // Our bigints are milliseconds and counts, far below 2^53.
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({ connectionString: url, max: 12, types, connectionTimeoutMillis: 5000 });
  // A dropped connection is replaced by the pool. Its error reaches whoever waits for a query; without these listeners
  // (the pool's for idle connections, the client's for those in use) it would also end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, dialect: 'postgres', close: () => db.destroy() };
}

/** Applies what is missing. Safe to call from several processes at once. */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Failure('server/unavailable', 'database.migration-failed', error);
}
