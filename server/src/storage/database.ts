/**
 * Opens the database that the settings name: SQLite in DATA_DIR, or PostgreSQL. The differences between the two are
 * here.
 */
import SqliteFile from 'better-sqlite3';
import { Kysely, type Logger, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { sqlitePathOf } from '../config.ts';
import { Failure, type Log, systemCode } from '../system/ports.ts';
import { databaseUrlsOf } from '../system/private-hosts.ts';
import { knownMigrations, migrations, namesOf020 } from './migrations/migrations.ts';
import { openPostgresPool } from './postgres/postgres-pool.ts';
import { watchPrimary } from './postgres/postgres-primary.ts';
import type { Db, Schema } from './schema.ts';
import { assertNothingLost } from './sqlite-folder.ts';
import { checkpoints } from './sqlite/checkpoints.ts';
import { CommitLine } from './sqlite/commit-line.ts';
import { type LogFile, openLogFile } from './sqlite/log-file.ts';
import { DurableSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { type WritingState, writingState } from './writing-state.ts';

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
  foldLog(): Promise<void>;
  /**
   * Overwrites once what earlier versions deleted without overwriting it, in a database that is not new; PostgreSQL's
   * vacuum does that.
   */
  purgeOnce(isNew: boolean): void;
  /** Whether changes can be stored. */
  readonly writing: WritingState;
  /** Runs long work, such as a migration, without the timeout of connections. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Called for every statement. */
  onStatement?: ((statement: string) => void) | undefined;
  log?: Log;
  /** Tests only, where nothing crashes: SQLite commits without waiting for the disk. */
  neverSyncs?: boolean;
  /** Tests only: how long the log of SQLite grows. */
  mostPagesInLog?: number;
}

/** `url` is `sqlite:` and a path, or `postgres://…`, of one host or several. Throws when it can't be opened or fails its integrity check. */
export function openDatabase(url: string, options: OpenOptions = {}): Database {
  const { onStatement } = options;
  const log: Logger | undefined = onStatement && (({ query }) => onStatement(query.sql));
  const more = log ? { log } : {};
  const path = sqlitePathOf(url);
  const writing = writingState(options.log);
  return path === null ? openPostgres(url, { ...more, writing }) : openSqlite(path, { ...more, writing }, options);
}

interface Common {
  log?: Logger;
  writing: WritingState;
}

function openSqlite(path: string, { writing, ...more }: Common, options: OpenOptions): Database {
  assertNothingLost(path);
  const file = new SqliteFile(path);
  // Before anything is written: a file of another program is left as it was.
  assertKnownFile(file);
  file.pragma('journal_mode = WAL');
  // The head of a log that begins anew is synced by SQLite, each commit by the line of commits.
  file.pragma('synchronous = NORMAL');
  file.pragma('wal_autocheckpoint = 0');
  // Deleted words are overwritten, and not only marked as free.
  file.pragma('secure_delete = ON');
  file.pragma('foreign_keys = ON');
  file.pragma('busy_timeout = 5000');
  const check = file.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') throw new Failure('server/unavailable', `database file ${path} is damaged: ${String(check)}`);
  const second = new SqliteFile(path, { readonly: true });
  const { line, log, moves } = durably(path, { writer: file, reader: second }, { ...options, writing });
  const dialect = new DurableSqliteDialect({ writer: file, reader: second, line, onWritten: moves.look });
  const db = new Kysely<Schema>({ dialect, ...more });
  // SQLite changes this number for the writes of other connections only.
  const version = file.prepare('pragma data_version').pluck();
  return {
    ...{ db, writing },
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
    foldLog: moves.empty,
    purgeOnce(isNew) {
      if (Number(file.pragma('user_version', { simple: true })) >= purged) return;
      if (!isNew) file.exec('vacuum');
      file.pragma(`user_version = ${String(purged)}`);
    },
    patiently: (work) => work(),
    async close() {
      await moves.close();
      await line.close();
      if (moves.isInDoubt) endNow();
      second.close();
      // Also where a command of the operator still has it open. A file that is damaged is closed as it is.
      if (file.open) settled(() => file.pragma('wal_checkpoint(TRUNCATE)'));
      await log.close();
      await db.destroy();
    },
  };
}

/** What makes a commit on this file last: see `sqlite/commit-line.ts`. */
function durably(
  path: string,
  { writer, reader }: Record<'writer' | 'reader', SqliteFile.Database>,
  { log: notes, neverSyncs = false, mostPagesInLog, writing }: OpenOptions & Pick<Common, 'writing'>,
) {
  const file = openLogFile(path, writer);
  const sync = async () => {
    const startMs = performance.now();
    await file.sync();
    writing.synced(performance.now() - startMs);
  };
  const log: LogFile = Object.assign(Object.create(file) as LogFile, {
    sync: neverSyncs ? () => Promise.resolve() : sync,
  });
  const [begin, look, end] = ['begin', 'pragma user_version', 'commit'].map((text) => reader.prepare(text));
  const reads = {
    pin() {
      begin?.run();
      look?.get();
    },
    unpin: () => void end?.run(),
  };
  const line = new CommitLine(reads, log, (error) => {
    notes?.error({ err: error }, 'database.log-lost');
    endNow();
  });
  const onFailed = (err: unknown) => notes?.warn({ err, code: systemCode(err) }, 'database.checkpoint-failed');
  const most = mostPagesInLog === undefined ? {} : { mostPagesInLog };
  return { line, log, moves: checkpoints({ path, line, log, onFailed, ...most }) };
}

/**
 * Ends the process where it stands: whenever SQLite closes a file it moves the log into it, and throws the log away. The
 * next start reads all of it.
 */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
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

function openPostgres(url: string, { writing, ...more }: Common): Database {
  const urls = databaseUrlsOf(url);
  const [first = url] = urls;
  const primary = urls.length > 1 ? watchPrimary(urls) : undefined;
  const { pool, patiently } = openPostgresPool(first, { primary });
  const second = openPostgresPool(first, { primary, most: 1 }).pool;
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...more });
  return {
    ...{ db, writing },
    dialect: 'postgres',
    answers: () => second.query('select 1'),
    watchOthers: () => () => true,
    foldLog: () => Promise.resolve(),
    purgeOnce: () => undefined,
    patiently,
    async close() {
      primary?.close();
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
  // A new database has no such table yet.
  const applied = await appliedMigrations(database.db).catch((): string[] => []);
  if (applied.length > 0 && !namesOf020.every((name) => applied.includes(name))) {
    throw new Failure('server/unavailable', 'database.before-0.2.0');
  }
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
