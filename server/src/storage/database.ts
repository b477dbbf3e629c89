/**
 * Opens the database that the settings name: SQLite in DATA_DIR, or PostgreSQL. The differences between the two are
 * here.
 */
import { putLatest } from '@tunemate/domain';
import SqliteFile from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Logger,
  PostgresDialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely';
import { Migrator } from 'kysely/migration';
import { sqlitePathOf } from '../config.ts';
import { Failure } from '../system/ports.ts';
import { knownMigrations, migrations } from './migrations/migrations.ts';
import { openPostgresPool } from './postgres-pool.ts';
import type { Db, Schema } from './schema.ts';
import { assertNothingLost } from './sqlite-folder.ts';

type Dialect = 'sqlite' | 'postgres';
export interface Database {
  db: Db;
  dialect: Dialect;
  /** Rejects when the database can't be asked. Over a connection of its own, so that it waits behind nothing else. */
  answers(): Promise<unknown>;
  /**
   * Begins to watch: each call answers whether another program may have written since the one before. True where that
   * can't be known; on SQLite another program is a command of the operator.
   */
  watchOthers(): () => boolean;
  /**
   * Writes the log of SQLite into its file and empties it, so that deleted words stay in neither. PostgreSQL does that by
   * itself.
   */
  foldLog(): void;
  /**
   * Overwrites once what earlier versions deleted without overwriting it, in a database that is not new; PostgreSQL's
   * vacuum does that.
   */
  purgeOnce(isNew: boolean): void;
  /** Runs long work, such as a migration, without the timeout of connections. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * `url` is `sqlite:` and a path, or `postgres://…`. Throws when it can't be opened or fails its integrity check.
 * `onStatement` is called for every statement.
 */
export function openDatabase(url: string, onStatement?: (statement: string) => void): Database {
  const log: Logger | undefined = onStatement && (({ query }) => onStatement(query.sql));
  const more = log ? { log } : {};
  const path = sqlitePathOf(url);
  return path === null ? openPostgres(url, more) : openSqlite(path, more);
}

function openSqlite(path: string, more: { log?: Logger }): Database {
  assertNothingLost(path);
  const file = new SqliteFile(path);
  // Before anything is written: a file of another program is left as it was.
  assertKnownFile(file);
  file.pragma('journal_mode = WAL');
  // Every commit reaches the disk before it is acknowledged.
  file.pragma('synchronous = FULL');
  // Deleted words are overwritten, and not only marked as free.
  file.pragma('secure_delete = ON');
  file.pragma('foreign_keys = ON');
  file.pragma('busy_timeout = 5000');
  const check = file.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') throw new Failure('server/unavailable', `database file ${path} is damaged: ${String(check)}`);
  const db = new Kysely<Schema>({ dialect: new PreparingSqliteDialect(file), ...more });
  const second = new SqliteFile(path, { readonly: true });
  // SQLite changes this number for the writes of other connections only.
  const version = file.prepare('pragma data_version').pluck();
  return {
    db,
    dialect: 'sqlite',
    answers: () => Promise.resolve(second.prepare('select 1').get()),
    watchOthers() {
      let seen = version.get();
      return () => {
        const before = seen;
        seen = version.get();
        return seen !== before;
      };
    },
    foldLog: () => void file.pragma('wal_checkpoint(TRUNCATE)'),
    purgeOnce(isNew) {
      if (Number(file.pragma('user_version', { simple: true })) >= purged) return;
      if (!isNew) file.exec('vacuum');
      file.pragma(`user_version = ${String(purged)}`);
    },
    patiently: (work) => work(),
    async close() {
      second.close();
      // Also where a command of the operator still has it open. A file that is damaged is closed as it is.
      if (file.open) settled(() => file.pragma('wal_checkpoint(TRUNCATE)'));
      await db.destroy();
    },
  };
}

/** Kept as the `user_version` of the file: everything deleted before is overwritten. */
const purged = 1;

function settled(work: () => unknown): void {
  try {
    work();
  } catch {
    // The server closes in any case.
  }
}

function assertKnownFile(file: SqliteFile.Database): void {
  const names = (query: string) => file.prepare<[], string>(query).pluck().all();
  const tables = names(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`);
  const applied = tables.includes(migrationsTable) ? names(`select name from ${migrationsTable}`) : [];
  assertKnownSchema(tables, applied, knownMigrations);
}

/** Where the tables of PostgreSQL are while a restore puts others in their place. */
export const asideSchema = 'tunemate_before_restore';

/** A restore that was killed has left these tables and an empty database, which must not be filled. */
async function assertNotHalfRestored(db: Db): Promise<void> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${asideSchema}`.execute(db);
  if (rows.length > 0) throw new Failure('server/unavailable', 'database.half-restored');
}

async function assertKnownDatabase(db: Db): Promise<void> {
  const all = await db.introspection.getTables({ withInternalKyselyTables: true });
  const tables = all.filter(({ schema, isView }) => schema === 'public' && !isView).map(({ name }) => name);
  const applied = tables.includes(migrationsTable) ? await appliedMigrations(db) : [];
  assertKnownSchema(tables, applied, knownMigrations);
}

/** The migrations that the database has. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom(migrationsTable)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

function openPostgres(url: string, more: { log?: Logger }): Database {
  const { pool, patiently } = openPostgresPool(url);
  const second = openPostgresPool(url, { most: 1 }).pool;
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...more });
  return {
    db,
    dialect: 'postgres',
    answers: () => second.query('select 1'),
    watchOthers: () => () => true,
    foldLog: () => undefined,
    purgeOnce: () => undefined,
    patiently,
    async close() {
      await Promise.all([second.end(), db.destroy()]);
    },
  };
}

/** Whether it has every migration of this version and no other: one read, where looking at all tables takes many. */
async function isUpToDate(db: Db): Promise<boolean> {
  // A new database has no such table yet.
  const applied = await appliedMigrations(db).catch((): string[] => []);
  return applied.length === knownMigrations.length && knownMigrations.every((name) => applied.includes(name));
}

/** Applies what is missing. Safe to call from several processes at once. */
export async function migrate(database: Database): Promise<void> {
  await assertUsable(database);
  // A new database has no such table yet.
  const isNew = (await appliedMigrations(database.db).catch((): string[] => [])).length === 0;
  await bringUpToDate(database);
  database.purgeOnce(isNew);
}

/** Encodings in which every text can be stored; SQL_ASCII keeps bytes as they come. */
const wholeEncodings: readonly string[] = ['UTF8', 'SQL_ASCII'];

/** The first look at it: what goes wrong here lies with the database or the way to it. */
export async function assertUsable({ db, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') return;
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`
    .execute(db)
    .catch((error: unknown) => {
      throw new Failure('server/unavailable', 'database.unusable', error);
    });
  const encoding = rows[0]?.encoding ?? '';
  if (wholeEncodings.includes(encoding)) return;
  throw new Failure('server/unavailable', 'database.no-unicode', new Error(encoding));
}

async function bringUpToDate(database: Database): Promise<void> {
  if (database.dialect === 'postgres') await assertNotHalfRestored(database.db);
  if (await isUpToDate(database.db)) return;
  if (database.dialect === 'postgres') await assertKnownDatabase(database.db);
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    // Branches are merged in any order: a server that follows main gets one of a lower number later.
    allowUnorderedMigrations: true,
  });
  const { error } = await database.patiently(() => migrator.migrateToLatest());
  if (error) throw new Failure('server/unavailable', 'database.migration-failed', error);
}

/** Where Kysely notes the migrations that were applied. */
export const migrationsTable = 'kysely_migration';

/**
 * Throws unless the database is empty or was made by this version or an older one: one of a newer version, or of another
 * program, must not be touched.
 */
function assertKnownSchema(tables: readonly string[], applied: readonly string[], known: readonly string[]): void {
  if (tables.length > 0 && !tables.includes(migrationsTable)) {
    throw new Failure('server/unavailable', 'database.of-another-program');
  }
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Failure('server/unavailable', 'database.newer-schema');
}

/** How many statements stay prepared; the product has about 300, and some more by the lengths of their lists. */
const keptStatements = 500;

/**
 * Kysely's dialect for SQLite with four differences: a statement is prepared once and kept, where Kysely prepares it
 * again for every query; waiting queries get the one connection in order, where Kysely wakes all of them each time; a
 * transaction that SQLite has ended by itself is not rolled back again; and all missing migrations are one transaction,
 * so that an upgrade that fails or is killed changes nothing.
 */
export class PreparingSqliteDialect extends SqliteDialect {
  readonly #file: SqliteFile.Database;

  constructor(file: SqliteFile.Database) {
    super({ database: file });
    this.#file = file;
  }

  override createDriver(): Driver {
    return new FairSqliteDriver(this.#file);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): true {
    return true;
  }
}

/** The database with cached `prepare`: the least recently used statement is dropped first. */
function prepareOnce(file: SqliteFile.Database): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    close: () => void file.close(),
    prepare(sql) {
      const statement = kept.get(sql) ?? shareable(file, file.prepare(sql));
      return putLatest(kept, sql, statement, keptStatements);
    },
  };
}

/** Reading row by row needs a statement of its own: a prepared one is busy until its last row was read. */
function shareable(file: SqliteFile.Database, statement: SqliteFile.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters),
    run: (parameters) => statement.run(parameters),
    iterate: (parameters) => file.prepare(statement.source).iterate(parameters),
  };
}

/** SQLite has one connection; waiting work gets it in order of arrival. */
class FairSqliteDriver extends SqliteDriver {
  readonly #file: SqliteFile.Database;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(file: SqliteFile.Database) {
    super({ database: prepareOnce(file) });
    this.#file = file;
  }

  /** On a full disk SQLite has rolled back by itself; a second time is an error that would hide the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection();
    const next = this.#waiting.shift();
    // The connection stays taken, so that new work queues behind the next in line.
    if (next) next();
    else this.#isTaken = false;
  }
}
